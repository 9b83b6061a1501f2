package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.ServiceInfo;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;

/** What the manifest says, and the launcher's screen. */
@RunWith(RobolectricTestRunner.class)
public final class AppTest {
    private static PackageInfo manifest() throws Exception {
        return RuntimeEnvironment.getApplication().getPackageManager().getPackageInfo(
                "com.clawseed.inspector.companion",
                PackageManager.GET_ACTIVITIES | PackageManager.GET_SERVICES | PackageManager.GET_PERMISSIONS
                        | PackageManager.GET_RECEIVERS | PackageManager.GET_PROVIDERS);
    }

    @Test
    public void asksForNoMoreThanItNeeds() throws Exception {
        PackageInfo info = manifest();
        assertEquals(
                Set.of("com.clawseed.permission.ACCESS_TOOLS", "android.permission.QUERY_ALL_PACKAGES",
                        "android.permission.FOREGROUND_SERVICE", "android.permission.FOREGROUND_SERVICE_SPECIAL_USE"),
                new TreeSet<>(Arrays.asList(info.requestedPermissions)));
        assertTrue(info.permissions == null || info.permissions.length == 0);
    }

    @Test
    public void exportsOnlyTheLauncherAndWhatTheShellAloneMayStart() throws Exception {
        PackageInfo info = manifest();
        for (ActivityInfo activity : info.activities) {
            assertEquals(activity.name, activity.name.endsWith(".StatusActivity"), activity.exported);
        }
        for (ServiceInfo service : info.services) {
            assertEquals(service.name, "android.permission.DUMP", service.permission);
        }
        assertTrue(info.receivers == null || info.receivers.length == 0);
        assertTrue(info.providers == null || info.providers.length == 0);
    }

    private static String textOf(Class<? extends Activity> screen) {
        StringBuilder all = new StringBuilder();
        collect(Robolectric.buildActivity(screen).setup().get().getWindow().getDecorView(), all);
        return all.toString();
    }

    private static void collect(View view, StringBuilder all) {
        if (view instanceof TextView) {
            all.append(((TextView) view).getText()).append('\n');
        } else if (view instanceof ViewGroup) {
            for (int i = 0; i < ((ViewGroup) view).getChildCount(); i++) {
                collect(((ViewGroup) view).getChildAt(i), all);
            }
        }
    }

    @Test
    public void theScreenSaysWhoIsConnected() throws Exception {
        assertTrue(textOf(StatusActivity.class).contains("Not running"));
        Desk desk = new Desk();
        assertTrue(textOf(StatusActivity.class).contains("nobody is connected"));
        desk.open("a");
        assertTrue(textOf(StatusActivity.class).contains("through adb (shell)"));
        assertTrue(textOf(StatusActivity.class).contains("Granted: com.clawseed.permission.ACCESS_TOOLS"));
        desk.end();
    }

    @Test
    @Config(qualifiers = "zh-rCN")
    public void theScreenSpeaksChinese() {
        String text = textOf(StatusActivity.class);
        assertTrue(text, text.contains("未运行"));
        assertTrue(text, text.contains("未授予：com.clawseed.permission.ACCESS_TOOLS"));
    }

    @Test
    public void theFallbackServiceKeepsItsTokenOutOfBugReports() throws Exception {
        Desk desk = new Desk();
        BridgeService service = Robolectric.buildService(BridgeService.class).create().get();
        service.adopt(desk.server);
        assertEquals("cetp.connected=0\n", dumpOf(service));
        String announced = dumpOf(service, "--announce");
        assertTrue(announced, announced.contains("cetp.token=" + desk.token() + "\n"));
        assertTrue(announced, announced.startsWith("cetp.protocol=1\ncetp.socket=" + desk.sockets.name() + "\n"));
        desk.end();
        assertEquals("cetp.error=ended\n", dumpOf(service, "--announce"));
    }

    private static String dumpOf(BridgeService service, String... args) {
        StringWriter out = new StringWriter();
        service.dump(null, new PrintWriter(out, true), args);
        return out.toString();
    }

    @Test
    public void theFallbackServiceTellsTheShellWhetherItRuns() {
        BridgeService service = Robolectric.buildService(BridgeService.class).create().get();
        assertEquals("cetp.error=not started\n", dumpOf(service));
    }
}
