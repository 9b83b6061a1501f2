package com.clawseed.inspector.companion;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.app.PendingIntent;
import android.content.ComponentName;
import android.content.Intent;
import android.os.Bundle;
import android.os.Parcel;
import android.os.ParcelFileDescriptor;
import android.os.Parcelable;
import android.util.SparseArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;

/** Bundles to and from the wire, through real Parcels. */
@RunWith(RobolectricTestRunner.class)
public final class BundleTest {
    /** A class that only the Provider has: its name does not resolve where the Bundle is read. */
    static final class Foreign implements Parcelable {
        @Override
        public int describeContents() {
            return 0;
        }

        @Override
        public void writeToParcel(Parcel out, int flags) {
            out.writeInt(7);
        }
    }

    private final Handles handles = new Handles();
    private final Handles.Owner owner = new Handles.Owner();

    private String write(Bundle bundle) {
        StringBuilder out = new StringBuilder();
        new BundleWriter(out, handles.newBatch()).writeBundle(bundle);
        return out.toString();
    }

    private static Bundle parcelled(Bundle bundle) {
        Parcel parcel = Parcel.obtain();
        parcel.writeBundle(bundle);
        parcel.setDataPosition(0);
        return parcel.readBundle();
    }

    /** A Bundle from a Parcel, with a Parcelable whose class does not exist where it is read. */
    static Bundle withForeign(String key, String goodKey) {
        Bundle bundle = new Bundle();
        bundle.putParcelable(key, new Foreign());
        bundle.putString(goodKey, "still here");
        Bundle read = parcelled(bundle);
        read.setClassLoader(new ClassLoader(null) {});
        return read;
    }

    private static Bundle read(String json) throws Exception {
        return BundleReader.read(Json.parse(json), "extras");
    }

    @Test
    public void edgesOf64BitsAndOfDoublesSurviveBothWays() throws Exception {
        String json = "{\"a\":{\"t\":\"long\",\"v\":\"9223372036854775807\"},\"b\":{\"t\":\"long\",\"v\":"
                + "\"-9223372036854775808\"},\"c\":{\"t\":\"long[]\",\"v\":[\"9007199254740993\",\"-1\",\"0\"]},"
                + "\"d\":{\"t\":\"double\",\"v\":4.9E-324},\"e\":{\"t\":\"double\",\"v\":1.7976931348623157E308},"
                + "\"g\":{\"t\":\"float\",\"v\":0.1},"
                + "\"h\":{\"t\":\"double[]\",\"v\":[\"Infinity\",\"-Infinity\",\"NaN\",0.1]},"
                + "\"i\":{\"t\":\"int\",\"v\":-2147483648},\"j\":{\"t\":\"int\",\"v\":2147483647}}";
        Bundle bundle = parcelled(read(json));
        assertEquals(Long.MAX_VALUE, bundle.getLong("a"));
        assertEquals(9007199254740993L, bundle.getLongArray("c")[0]);
        assertEquals(0.1f, bundle.getFloat("g"), 0f);
        assertEquals(Json.parse(json), Json.parse(write(bundle)));
        // Robolectric's Parcel loses the sign of zero, so this one goes without it.
        assertEquals("{\"z\":{\"t\":\"double\",\"v\":-0.0}}", write(read("{\"z\":{\"t\":\"double\",\"v\":-0.0}}")));
    }

    @Test
    public void randomBundlesComeBackAsTheyWere() throws Exception {
        Random random = new Random(4);
        for (int run = 0; run < 300; run++) {
            Bundle bundle = randomBundle(random, 3);
            String once = write(parcelled(bundle));
            Bundle again = read(once);
            assertEquals("run " + run, Json.parse(once), Json.parse(write(parcelled(again))));
            assertEquals(bundle.keySet(), again.keySet());
        }
    }

    private static Bundle randomBundle(Random random, int depth) {
        Bundle bundle = new Bundle();
        for (int i = random.nextInt(6); i > 0; i--) {
            String key = text(random);
            switch (random.nextInt(depth > 0 ? 11 : 9)) {
                case 0 -> bundle.putString(key, text(random));
                case 1 -> bundle.putInt(key, random.nextInt());
                case 2 -> bundle.putLong(key, random.nextLong());
                case 3 -> bundle.putDouble(key, Double.longBitsToDouble(random.nextLong()));
                case 4 -> bundle.putFloat(key, Float.intBitsToFloat(random.nextInt()));
                case 5 -> bundle.putBoolean(key, random.nextBoolean());
                case 6 -> bundle.putByteArray(key, text(random).getBytes());
                case 7 -> bundle.putLongArray(key, random.longs(random.nextInt(4)).toArray());
                case 8 -> bundle.putStringArray(key, new String[] {text(random), null});
                case 9 -> bundle.putBundle(key, randomBundle(random, depth - 1));
                default -> bundle.putParcelableArray(key, new Bundle[] {randomBundle(random, depth - 1)});
            }
        }
        return bundle;
    }

    /** Any UTF-16, lone surrogates and control characters included. */
    private static String text(Random random) {
        char[] chars = new char[random.nextInt(8)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) (random.nextInt(4) == 0 ? 0xd700 + random.nextInt(0xa00) : random.nextInt(0x250));
        }
        return new String(chars);
    }

    @Test
    public void typesThatMustNotBeTakenForOthers() {
        Bundle bundle = new Bundle();
        bundle.putShort("short", (short) 1);
        bundle.putChar("char", 'c');
        bundle.putCharSequence("styled", new StringBuilder("text"));
        bundle.putIntegerArrayList("list of ints", new ArrayList<>(List.of(1)));
        bundle.putStringArrayList("list of strings", new ArrayList<>(List.of("x")));
        bundle.putSparseParcelableArray("sparse", new SparseArray<>());
        String text = write(bundle);
        assertTrue(text, text.contains("\"short\":{\"t\":\"opaque\",\"v\":{\"class\":\"java.lang.Short\",\"text\":\"1\"}}"));
        assertTrue(text, text.contains("\"list of ints\":{\"t\":\"opaque\",\"v\":{\"class\":\"java.util.ArrayList\""));
        assertTrue(text, text.contains("\"list of strings\":{\"t\":\"strings\",\"v\":[\"x\"]}"));
        assertTrue(text, text.contains("\"char\":{\"t\":\"opaque\""));
        assertTrue(text, text.contains("\"styled\":{\"t\":\"opaque\""));
    }

    @Test
    public void longTextOfAnUnknownValueIsCut() throws Exception {
        Bundle bundle = new Bundle();
        bundle.putCharSequence("k", new StringBuilder("y".repeat(1000)));
        Map<?, ?> entry = (Map<?, ?>) ((Map<?, ?>) Json.parse(write(bundle))).get("k");
        assertEquals("y".repeat(256), ((Map<?, ?>) entry.get("v")).get("text"));
    }

    @Test
    public void aValueThatCannotBeUnparcelledCostsOnlyItself() throws Exception {
        String text = write(withForeign("icon", "good"));
        Map<?, ?> all = (Map<?, ?>) Json.parse(text);
        assertEquals(Json.parse("{\"t\":\"string\",\"v\":\"still here\"}"), all.get("good"));
        Map<?, ?> icon = (Map<?, ?>) all.get("icon");
        assertEquals("unreadable", icon.get("t"));
        assertEquals("android.os.BadParcelableException", ((Map<?, ?>) icon.get("v")).get("class"));
        assertTrue(text, text.contains("ClassNotFoundException"));
    }

    @Test
    public void nestedNullKeysAreCounted() {
        Bundle inner = new Bundle();
        inner.putInt(null, 1);
        inner.putBundle("deeper", new Bundle(inner));
        Bundle outer = new Bundle();
        outer.putString(null, "x");
        outer.putBundle("inner", inner);
        StringBuilder out = new StringBuilder();
        BundleWriter writer = new BundleWriter(out, handles.newBatch());
        writer.writeBundle(outer);
        assertEquals(3, writer.nullKeys());
        assertFalse(out.toString().contains("null"));
    }

    @Test
    public void whatNestsTooDeepIsSaidAndNotDropped() throws Exception {
        Bundle bundle = new Bundle();
        for (int i = 0; i < 5000; i++) {
            Bundle outer = new Bundle();
            outer.putBundle("b", bundle);
            bundle = outer;
        }
        String text = write(bundle);
        assertTrue(text.contains("\"t\":\"unreadable\""));
        assertTrue(text.contains("nests deeper than 64"));
        Json.parse(text);
    }

    @Test
    public void handlesOfADroppedPartAreClosed() throws Exception {
        ParcelFileDescriptor inside = EchoProvider.descriptor("x");
        Bundle bad = new Bundle();
        bad.putParcelable("fd", inside);
        Bundle deep = new Bundle();
        for (int i = 0; i < 70; i++) {
            Bundle outer = new Bundle();
            outer.putBundle("b", deep);
            deep = outer;
        }
        Bundle outer = new Bundle();
        outer.putParcelableArray("list", new Bundle[] {bad, deep});
        Handles.Batch batch = handles.newBatch();
        new BundleWriter(new StringBuilder(), batch).writeBundle(outer);
        assertEquals(1, batch.commit(owner).size());
        handles.releaseAllOf(owner);
        assertThrows(IllegalStateException.class, inside::getFd);
    }

    @Test
    public void pendingIntentsOfEachKind() {
        android.content.Context context = RuntimeEnvironment.getApplication();
        Bundle bundle = new Bundle();
        int immutable = PendingIntent.FLAG_IMMUTABLE;
        bundle.putParcelable("a", PendingIntent.getActivity(context, 1, new Intent("a"), immutable));
        bundle.putParcelable("b", PendingIntent.getBroadcast(context, 2, new Intent("b"), PendingIntent.FLAG_MUTABLE));
        bundle.putParcelable("c", PendingIntent.getService(context, 3, new Intent("c"), immutable));
        bundle.putParcelable("d", PendingIntent.getForegroundService(context, 4, new Intent("d"), immutable));
        String text = write(parcelled(bundle));
        for (String kind : new String[] {"activity", "broadcast", "service", "foregroundService"}) {
            assertTrue(text, text.contains("\"kind\":\"" + kind + "\""));
        }
        assertTrue(text, text.contains("\"immutable\":false"));
    }

    @Test
    public void intentsAreWhole() throws Exception {
        Intent intent = new Intent("act").setComponent(new ComponentName("p", "p.C")).addCategory("cat").addFlags(3);
        intent.setDataAndType(android.net.Uri.parse("x:y"), "a/b");
        intent.setPackage("q");
        StringBuilder out = new StringBuilder();
        new BundleWriter(out, handles.newBatch()).writeIntent(intent);
        assertEquals(Json.parse("{\"action\":\"act\",\"data\":\"x:y\",\"type\":\"a/b\",\"package\":\"q\",\"component\":"
                + "\"p/p.C\",\"categories\":[\"cat\"],\"flags\":3,\"extras\":null}"), Json.parse(out.toString()));
    }

    @Test
    public void bytesAreBytes() throws Exception {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        Bundle bundle = new Bundle();
        bundle.putByteArray("k", all);
        assertArrayEquals(all, read(write(bundle)).getByteArray("k"));
        for (String wrong : new String[] {"A", "AA", "AAA", "A===", "AA=A", "AA==AAAA", "A A=", "AA-_"}) {
            assertThrows(wrong, ProtocolException.class, () -> read("{\"k\":{\"t\":\"bytes\",\"v\":\"" + wrong + "\"}}"));
        }
    }
}
