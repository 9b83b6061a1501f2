/** Builds the sample Providers, reproducibly; `--check` compares a fresh build with the committed one instead of writing it. */
import path from 'node:path';
import { expect } from './companion/apk-build.ts';
import { makeProduct } from './companion/product.ts';

makeProduct(
  {
    folder: path.join(import.meta.dirname, '..', 'sample-provider', 'src', 'main'),
    name: 'sample-provider',
    package: 'com.clawseed.inspector.sample',
    examine: ({ badging, manifest, classes }) => {
      expect(!badging.includes('uses-permission'), 'The sample must use no permission');
      expect(/^\s*E: permission /m.test(manifest), 'The sample must declare ACCESS_TOOLS');
      for (const entry of ['AlertsProvider', 'AlertsService', 'ConfirmActivity', 'NotesProvider', 'NotesService']) {
        expect(classes.includes(entry), `${entry} is not in the dex file`);
      }
    },
  },
  process.argv.includes('--check'),
);
