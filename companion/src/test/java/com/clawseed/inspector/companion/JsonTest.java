package com.clawseed.inspector.companion;

import static org.junit.Assert.assertEquals;

import android.os.Bundle;
import android.os.Parcel;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;

@RunWith(RobolectricTestRunner.class)
public final class JsonTest {
    @Test
    public void realBundle() {
        Bundle b = new Bundle();
        b.putLong("l", Long.MIN_VALUE);
        Parcel p = Parcel.obtain();
        p.writeBundle(b);
        p.setDataPosition(0);
        assertEquals(Long.MIN_VALUE, p.readBundle().getLong("l"));
    }
}
