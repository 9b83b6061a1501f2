import { ApkFault } from '../../discovery/apk/fault.ts';
import { readApk } from '../../discovery/apk/read-apk.ts';

/** The version name inside an APK of ours; null where there is none, or it cannot be read. */
export async function versionOfApk(apk: Uint8Array | null): Promise<string | null> {
  if (apk === null) return null;
  try {
    const read = async (offset: number, length: number) => apk.subarray(offset, offset + length);
    const { manifest } = await readApk({ size: apk.byteLength, read }, null);
    return manifest.versionName;
  } catch (error) {
    if (error instanceof ApkFault) return null;
    throw error;
  }
}
