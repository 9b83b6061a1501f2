package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.content.ComponentName;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import android.content.pm.ProviderInfo;
import android.content.pm.ServiceInfo;
import android.content.pm.Signature;
import android.content.pm.SigningInfo;
import android.os.Bundle;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowSigningInfo;

/** Raw facts of Candidates beyond those of the vectors. */
@RunWith(RobolectricTestRunner.class)
public final class DiscoverTest {
    private static final String NAME = "org.example.strange";

    private Desk desk;
    private Wire wire;

    @Before
    public void setUp() throws Exception {
        desk = new Desk();
        wire = desk.open("a");
    }

    @After
    public void tearDown() {
        desk.end();
    }

    private static String hex(String signer) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(signer.getBytes()));
    }

    private List<?> candidates(String kind) throws Exception {
        String text = desk.ask(wire, "{\"id\":1,\"op\":\"discover\",\"params\":{\"kind\":\"" + kind + "\"}}");
        return (List<?>) ((Map<?, ?>) ((Map<?, ?>) Json.parse(text)).get("ok")).get("candidates");
    }

    private Map<?, ?> candidate() throws Exception {
        for (Object item : candidates("cetp")) {
            if (NAME.equals(((Map<?, ?>) item).get("package"))) {
                return (Map<?, ?>) item;
            }
        }
        throw new AssertionError("not listed");
    }

    private ServiceInfo service(PackageInfo info, String name, Bundle metaData) {
        ServiceInfo service = desk.phone.component(new ServiceInfo(), info, NAME + "." + name);
        service.exported = true;
        service.metaData = metaData;
        desk.phone.packages().addOrUpdateService(service);
        desk.phone.filter(service, "com.clawseed.action.TOOL_PROVIDER");
        return service;
    }

    private PackageInfo install() {
        PackageInfo info = desk.phone.packageOf(NAME, null, null, 1);
        info.setLongVersionCode(0x1_0000_0002L);
        info.sharedUserId = "org.example.shared";
        desk.phone.packages().installPackage(info);
        return info;
    }

    @Test
    public void metaDataKeepsItsCompiledTypes() throws Exception {
        Bundle metaData = new Bundle();
        metaData.putInt("com.clawseed.tools.version", 2);
        metaData.putString("com.clawseed.tools.versions", "2,1");
        metaData.putInt("resource", 0x7f0a0001);
        metaData.putBoolean("flag", true);
        metaData.putFloat("ratio", 1.5f);
        metaData.putInt("com.clawseed.tools.authority", 7);
        service(install(), "S", metaData);
        Map<?, ?> found = candidate();
        assertEquals(Json.parse("{\"com.clawseed.tools.version\":{\"t\":\"int\",\"v\":2},"
                + "\"com.clawseed.tools.versions\":{\"t\":\"string\",\"v\":\"2,1\"},"
                + "\"resource\":{\"t\":\"int\",\"v\":2131361793},\"flag\":{\"t\":\"boolean\",\"v\":true},"
                + "\"ratio\":{\"t\":\"float\",\"v\":1.5},\"com.clawseed.tools.authority\":{\"t\":\"int\",\"v\":7}}"),
                found.get("metaData"));
        assertEquals(null, found.get("provider"));
        assertEquals("4294967298", found.get("versionCode"));
        assertEquals(null, found.get("versionName"));
        assertEquals("org.example.shared", found.get("sharedUserId"));
    }

    @Test
    public void aServiceWithoutMetaDataIsListed() throws Exception {
        service(install(), "S", null);
        assertEquals(Map.of(), candidate().get("metaData"));
    }

    @Test
    public void everyComponentOfAPackageIsACandidateAndAPageHoldsThemAll() throws Exception {
        PackageInfo info = install();
        service(info, "A", null);
        service(info, "B", null);
        String text = desk.ask(wire, "{\"id\":1,\"op\":\"discover\",\"params\":{\"kind\":\"cetp\",\"limit\":1,"
                + "\"after\":\"org.example.odd.sleepingprovider\"}}");
        Map<?, ?> page = (Map<?, ?>) ((Map<?, ?>) Json.parse(text)).get("ok");
        assertEquals(2, ((List<?>) page.get("candidates")).size());
        assertEquals(false, page.get("more"));
    }

    @Test
    public void theProviderMayBelongToAnotherPackageAndHaveMoreAuthorities() throws Exception {
        PackageInfo other = desk.phone.packageOf("org.example.other", "Other", "1", 1);
        desk.phone.packages().installPackage(other);
        ProviderInfo provider = desk.phone.component(new ProviderInfo(), other, "org.example.other.P");
        provider.authority = "one.authority;two.authority";
        provider.exported = true;
        provider.grantUriPermissions = true;
        provider.readPermission = "r";
        desk.phone.packages().addOrUpdateProvider(provider);
        Bundle metaData = new Bundle();
        metaData.putString("com.clawseed.tools.authority", "two.authority");
        service(install(), "S", metaData);
        Map<?, ?> found = (Map<?, ?>) candidate().get("provider");
        assertEquals(List.of("one.authority", "two.authority"), found.get("authorities"));
        assertEquals("org.example.other", found.get("package"));
        assertEquals("r", found.get("readPermission"));
        assertEquals(null, found.get("writePermission"));
        assertEquals(true, found.get("grantUriPermissions"));
    }

    @Test
    public void whatSomebodySwitchedOffIsDisabled() throws Exception {
        ServiceInfo service = service(install(), "S", null);
        assertEquals(true, ((Map<?, ?>) candidate().get("component")).get("enabled"));
        desk.phone.app.getPackageManager().setComponentEnabledSetting(new ComponentName(NAME, service.name),
                PackageManager.COMPONENT_ENABLED_STATE_DISABLED, PackageManager.DONT_KILL_APP);
        assertEquals(false, ((Map<?, ?>) candidate().get("component")).get("enabled"));
    }

    @Test
    public void rotatedKeysAreToldApartFromCurrentOnes() throws Exception {
        PackageInfo info = install();
        SigningInfo signing = new SigningInfo();
        ShadowSigningInfo shadow = Shadow.extract(signing);
        shadow.setSignatures(new Signature[] {new Signature("new".getBytes())});
        shadow.setPastSigningCertificates(
                new Signature[] {new Signature("old".getBytes()), new Signature("new".getBytes())});
        desk.phone.packages().getInternalMutablePackageInfo(NAME).signingInfo = signing;
        service(info, "S", null);
        assertEquals(List.of(hex("new")), candidate().get("signingCertSha256"));
        assertEquals(List.of(hex("old")), candidate().get("pastSigningCertSha256"));
        desk.phone.packages().getInternalMutablePackageInfo(NAME).signingInfo = Phone.signedBy("a", "b");
        assertEquals(List.of(hex("a"), hex("b")), candidate().get("signingCertSha256"));
        assertEquals(List.of(), candidate().get("pastSigningCertSha256"));
    }

    @Test
    public void hostileTextIsCarriedAsItIs() throws Exception {
        String evil = "\u202eevil\u0000\n\"<b>\\ud83d";
        PackageInfo info = install();
        PermissionInfo permission = new PermissionInfo();
        permission.name = evil;
        desk.phone.packages().getInternalMutablePackageInfo(NAME).permissions = new PermissionInfo[] {permission};
        desk.phone.packages().getInternalMutablePackageInfo(NAME).applicationInfo.nonLocalizedLabel = evil;
        Bundle metaData = new Bundle();
        metaData.putString(evil, evil);
        service(info, "S", metaData);
        Map<?, ?> found = candidate();
        assertEquals(List.of(evil), found.get("definesPermissions"));
        assertEquals(Map.of(evil, Map.of("t", "string", "v", evil)), found.get("metaData"));
    }

    @Test
    public void aPackageWithoutAnExportedComponentIsNotVisibleByQueries() throws Exception {
        PackageInfo info = install();
        ServiceInfo service = desk.phone.component(new ServiceInfo(), info, NAME + ".S");
        service.permission = "needs.this";
        desk.phone.packages().addOrUpdateService(service);
        desk.phone.filter(service, "com.clawseed.action.TOOL_PROVIDER");
        Map<?, ?> found = candidate();
        assertFalse((Boolean) found.get("visibleByQueries"));
        assertFalse((Boolean) ((Map<?, ?>) found.get("component")).get("exported"));
        assertEquals("needs.this", ((Map<?, ?>) found.get("component")).get("permission"));
    }

    @Test
    public void aListAboveTheLineLimitIsRefusedAndFitsInPages() throws Exception {
        PackageInfo info = install();
        for (int i = 0; i < 5; i++) {
            Bundle metaData = new Bundle();
            metaData.putString("big", "x".repeat(1_000_000));
            service(info, "S" + i, metaData);
        }
        String all = desk.ask(wire, "{\"id\":1,\"op\":\"discover\",\"params\":{\"kind\":\"cetp\"}}");
        assertTrue(all, all.contains("REPLY_TOO_LARGE"));
        String page = desk.ask(wire, "{\"id\":1,\"op\":\"discover\",\"params\":{\"kind\":\"cetp\",\"limit\":1}}");
        assertTrue(page.contains("\"more\":true"));
    }
}
