package com.clawseed.inspector.companion;

import android.content.ContentProvider;
import android.content.IContentProvider;
import android.database.sqlite.SQLiteException;
import android.os.BadParcelableException;
import android.os.Bundle;
import android.os.DeadObjectException;
import android.os.NetworkOnMainThreadException;
import android.os.Parcel;
import android.os.Parcelable;
import android.os.TransactionTooLargeException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * The Binder between the app and a Provider in another process, as far as {@code call} goes: Bundles travel through a
 * real Parcel, 1 MB is too much, and of exceptions only those pass that a Parcel carries.
 */
final class RemoteProvider implements InvocationHandler {
    private static final int BUFFER_BYTES = 1024 * 1024;

    private final ContentProvider provider;
    private final boolean direct;

    private RemoteProvider(ContentProvider provider, boolean direct) {
        this.provider = provider;
        this.direct = direct;
    }

    static IContentProvider of(ContentProvider provider, boolean direct) {
        return (IContentProvider) Proxy.newProxyInstance(
                IContentProvider.class.getClassLoader(),
                new Class<?>[] {IContentProvider.class},
                new RemoteProvider(provider, direct));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        if (!method.getName().equals("call")) {
            if (method.getName().equals("hashCode")) {
                return System.identityHashCode(proxy);
            }
            if (method.getName().equals("equals")) {
                return proxy == args[0];
            }
            return null;
        }
        int last = args.length - 1;
        Bundle extras = (Bundle) args[last];
        Parcel request = Parcel.obtain();
        request.writeBundle(extras);
        if (request.dataSize() > BUFFER_BYTES) {
            throw new TransactionTooLargeException("data parcel size " + request.dataSize() + " bytes");
        }
        request.setDataPosition(0);
        Bundle received = request.readBundle();
        if (received != null) {
            received.setClassLoader(getClass().getClassLoader());
        }
        return answer((String) args[last - 2], (String) args[last - 1], received);
    }

    private Bundle answer(String method, String arg, Bundle extras) throws DeadObjectException {
        Bundle result;
        try {
            result = provider.call(method, arg, extras);
        } catch (EchoProvider.Killed e) {
            throw new DeadObjectException();
        } catch (SecurityException | IllegalStateException | IllegalArgumentException | NullPointerException
                | UnsupportedOperationException | BadParcelableException | SQLiteException
                | NetworkOnMainThreadException e) {
            throw e;
        } catch (RuntimeException e) {
            // No other passes: the caller reads an empty Parcel.
            return new Bundle();
        }
        if (result == null || direct || hasLocalObject(result)) {
            return result;
        }
        Parcel reply = Parcel.obtain();
        reply.writeInt(1);
        result.writeToParcel(reply, Parcelable.PARCELABLE_WRITE_RETURN_VALUE);
        if (reply.dataSize() > BUFFER_BYTES) {
            throw new DeadObjectException("Transaction failed on small parcel; remote process probably died");
        }
        // Robolectric hands a descriptor over when the sender's end is closed.
        Descriptors.close(result);
        reply.setDataPosition(4);
        return reply.readBundle();
    }

    /** The Parcel of the tests cannot carry a subclass of a descriptor. */
    private static boolean hasLocalObject(Bundle bundle) {
        for (String key : bundle.keySet()) {
            if (bundle.get(key) instanceof EchoProvider.BrokenDescriptor) {
                return true;
            }
        }
        return false;
    }
}
