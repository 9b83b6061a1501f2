/**
 * Builds the companion, reproducibly; `--check` compares a fresh build with the committed one instead of writing it.
 *
 * A release key instead of the committed development key: CETP_COMPANION_KEYSTORE (a PKCS#12 file),
 * CETP_COMPANION_KEY_ALIAS, CETP_COMPANION_KEYSTORE_PASSWORD.
 */
import path from 'node:path';
import { expect } from './companion/apk-build.ts';
import { makeProduct } from './companion/product.ts';

makeProduct(
  {
    folder: path.join(import.meta.dirname, '..', 'companion', 'src', 'main'),
    name: 'companion',
    package: 'com.clawseed.inspector.companion',
    examine: ({ badging, manifest, classes }) => {
      expect(
        /^uses-permission: name='com\.clawseed\.permission\.ACCESS_TOOLS'/m.test(badging),
        'ACCESS_TOOLS is not used',
      );
      expect(!badging.includes('android.permission.INTERNET'), 'The companion must not have the network');
      expect(!/^\s*E: permission /m.test(manifest), 'The companion must declare no permission');
      for (const entry of ['BridgeInstrumentation', 'BridgeService', 'ResultActivity', 'StatusActivity']) {
        expect(classes.includes(entry), `${entry} is not in the dex file`);
      }
    },
  },
  process.argv.includes('--check'),
);
