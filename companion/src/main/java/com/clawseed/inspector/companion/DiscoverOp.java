package com.clawseed.inspector.companion;

import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.ComponentInfo;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.os.Bundle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** {@code discover}: raw facts of each matching component, in order of package, in pages of whole packages. */
final class DiscoverOp {
    private static final String CETP = "com.clawseed.action.TOOL_PROVIDER";
    private static final String INSTALL_AGENT = "agent.provider.action.INSTALL_AGENT";
    private static final String HANDLE_PROPOSAL = "agent.provider.action.HANDLE_PROPOSAL";
    private static final String AUTHORITY_KEY = "com.clawseed.tools.authority";
    /** Also what is disabled, and what the user has not unlocked yet. */
    private static final int MATCH = PackageManager.GET_META_DATA
            | PackageManager.MATCH_DISABLED_COMPONENTS
            | PackageManager.MATCH_DIRECT_BOOT_AWARE
            | PackageManager.MATCH_DIRECT_BOOT_UNAWARE;

    private final Bridge bridge;
    private final PackageManager packages;
    private final StringBuilder out = new StringBuilder();

    private DiscoverOp(Bridge bridge) {
        this.bridge = bridge;
        this.packages = bridge.context.getPackageManager();
    }

    static void start(final Bridge bridge, Params params, final Request request) throws ProtocolException {
        final boolean cetp = params.oneOf("kind", "cetp", "agent-provider").equals("cetp");
        final String after = params.optionalString("after");
        final int limit = params.optionalCount("limit", Integer.MAX_VALUE);
        bridge.workers.execute(new Runnable() {
            @Override
            public void run() {
                String text;
                try {
                    text = new DiscoverOp(bridge).page(cetp, after, limit);
                } catch (Throwable e) {
                    request.giveUp(new ProtocolException("INTERNAL", e.toString()));
                    return;
                }
                if (request.take()) {
                    request.reply(text, new ArrayList<String>());
                }
            }
        });
    }

    private String page(boolean cetp, String after, int limit) {
        List<ComponentInfo> services = services();
        List<ComponentInfo> installs = activities(INSTALL_AGENT);
        List<ComponentInfo> proposals = activities(HANDLE_PROPOSAL);
        Set<String> visible = new HashSet<String>();
        for (List<ComponentInfo> found : Arrays.asList(services, installs, proposals)) {
            for (ComponentInfo component : found) {
                if (component.exported) {
                    visible.add(component.packageName);
                }
            }
        }
        out.append("{\"candidates\":[");
        int count = 0;
        boolean more = false;
        for (Map.Entry<String, List<ComponentInfo>> item : byPackage(cetp ? services : installs).entrySet()) {
            if (after != null && item.getKey().compareTo(after) <= 0) {
                continue;
            }
            if (count > 0 && count + item.getValue().size() > limit) {
                more = true;
                break;
            }
            PackageFacts facts = PackageFacts.of(bridge.context, item.getKey());
            if (facts == null) {
                // Removed since the query.
                continue;
            }
            for (ComponentInfo component : item.getValue()) {
                out.append(count++ == 0 ? "" : ",");
                writeCandidate(facts, component, cetp, cetp ? null : firstOf(proposals, item.getKey()));
                out.append(",\"visibleByQueries\":").append(visible.contains(item.getKey())).append('}');
            }
        }
        return out.append("],\"more\":").append(more).append('}').toString();
    }

    private List<ComponentInfo> services() {
        List<ComponentInfo> found = new ArrayList<ComponentInfo>();
        for (ResolveInfo match : packages.queryIntentServices(new Intent(CETP), MATCH)) {
            found.add(match.serviceInfo);
        }
        return found;
    }

    private List<ComponentInfo> activities(String action) {
        List<ComponentInfo> found = new ArrayList<ComponentInfo>();
        for (ResolveInfo match : packages.queryIntentActivities(new Intent(action), MATCH)) {
            found.add(match.activityInfo);
        }
        return found;
    }

    private static TreeMap<String, List<ComponentInfo>> byPackage(List<ComponentInfo> components) {
        TreeMap<String, List<ComponentInfo>> sorted = new TreeMap<String, List<ComponentInfo>>();
        for (ComponentInfo component : components) {
            List<ComponentInfo> others = sorted.get(component.packageName);
            if (others == null) {
                others = new ArrayList<ComponentInfo>();
                sorted.put(component.packageName, others);
            }
            others.add(component);
        }
        return sorted;
    }

    private static ComponentInfo firstOf(List<ComponentInfo> components, String packageName) {
        for (ComponentInfo component : components) {
            if (component.packageName.equals(packageName)) {
                return component;
            }
        }
        return null;
    }

    /** All but its last member and the closing brace. */
    private void writeCandidate(PackageFacts facts, ComponentInfo component, boolean cetp, ComponentInfo action) {
        member("{\"package\":", facts.info.packageName);
        member(",\"label\":", labelOf(component));
        member(",\"versionName\":", facts.info.versionName);
        member(",\"versionCode\":", facts.versionCode());
        out.append(",\"uid\":").append(component.applicationInfo.uid);
        member(",\"sharedUserId\":", facts.info.sharedUserId);
        out.append(",\"signingCertSha256\":");
        Json.writeStrings(out, facts.signers);
        out.append(",\"pastSigningCertSha256\":");
        Json.writeStrings(out, facts.pastSigners);
        out.append(",\"component\":");
        writeComponent(component);
        out.append(",\"actionComponent\":");
        writeComponent(action);
        Bundle metaData = component.metaData == null ? new Bundle() : component.metaData;
        out.append(",\"metaData\":");
        new BundleWriter(out, bridge.handles.newBatch()).writeBundle(metaData);
        out.append(",\"provider\":");
        Object authority = cetp ? metaData.get(AUTHORITY_KEY) : null;
        writeProvider(authority instanceof String
                ? packages.resolveContentProvider((String) authority, MATCH & ~PackageManager.GET_META_DATA)
                : null);
        out.append(",\"definesPermissions\":");
        Json.writeStrings(out, facts.definedPermissions());
    }

    /** The app's label; null where its resources cannot be read. */
    private String labelOf(ComponentInfo component) {
        try {
            CharSequence label = component.applicationInfo.loadLabel(packages);
            return label == null ? null : label.toString();
        } catch (RuntimeException e) {
            return null;
        }
    }

    private void writeComponent(ComponentInfo component) {
        if (component == null) {
            out.append("null");
            return;
        }
        member("{\"name\":", component.name);
        out.append(",\"exported\":").append(component.exported);
        out.append(",\"enabled\":").append(isEnabled(component));
        member(",\"permission\":", component instanceof ServiceInfo
                ? ((ServiceInfo) component).permission
                : ((ActivityInfo) component).permission);
        member(",\"processName\":", component.processName);
        out.append('}');
    }

    /** The Provider that the authority resolves to, of whatever package. */
    private void writeProvider(ProviderInfo provider) {
        if (provider == null) {
            out.append("null");
            return;
        }
        out.append("{\"authorities\":");
        Json.writeStrings(out, Arrays.asList(provider.authority.split(";")));
        member(",\"package\":", provider.packageName);
        member(",\"name\":", provider.name);
        out.append(",\"exported\":").append(provider.exported);
        out.append(",\"enabled\":").append(isEnabled(provider));
        member(",\"readPermission\":", provider.readPermission);
        member(",\"writePermission\":", provider.writePermission);
        out.append(",\"grantUriPermissions\":").append(provider.grantUriPermissions);
        out.append(",\"initOrder\":").append(provider.initOrder);
        member(",\"processName\":", provider.processName);
        out.append('}');
    }

    /** As it is now: the manifest's word, unless somebody has switched the component or its app since. */
    private boolean isEnabled(ComponentInfo component) {
        int setting = packages.getComponentEnabledSetting(new ComponentName(component.packageName, component.name));
        boolean own = setting == PackageManager.COMPONENT_ENABLED_STATE_DEFAULT
                ? component.enabled
                : setting == PackageManager.COMPONENT_ENABLED_STATE_ENABLED;
        return own && component.applicationInfo.enabled;
    }

    private void member(String before, String value) {
        out.append(before);
        Json.writeString(out, value);
    }
}
