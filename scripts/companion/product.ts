import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureTools } from '../tools.ts';
import {
  APK_TOOLS,
  type ApkFacts,
  buildUnsigned,
  ensureJars,
  expect,
  type Insides,
  inspect,
  sha256,
  sign,
} from './apk-build.ts';

const assets = path.join(import.meta.dirname, '..', '..', 'assets');

export interface Product {
  /** Folder with `AndroidManifest.xml`, `java` and `res`. */
  readonly folder: string;
  /** Of the files in `assets/`, without their endings. */
  readonly name: string;
  readonly package: string;
  /** Throws `Error` where the APK is not as it must be. */
  readonly examine: (insides: Insides) => void;
}

/**
 * Builds the product twice, compares, and writes `assets/<name>.apk`, its `.sha256` and `<name>.json`; with `check` it
 * compares with the committed ones instead. Throws `Error` with what differs.
 */
export function makeProduct(product: Product, check: boolean): void {
  if (!ensureTools(APK_TOOLS)) process.exit(1);
  ensureJars();
  const file = `${product.name}.apk`;
  const work = mkdtempSync(path.join(os.tmpdir(), `cetp-${product.name}-`));
  try {
    const first = build(product, path.join(work, 'a'));
    const second = build(product, path.join(work, 'b'));
    expect(first.facts.unsignedSha256 === second.facts.unsignedSha256, 'Two builds differ');
    const factsFile = path.join(assets, `${product.name}.json`);
    if (check) {
      const known = JSON.parse(readFileSync(factsFile, 'utf8')) as ApkFacts;
      expect(
        sha256(readFileSync(path.join(assets, file))) === known.sha256,
        `assets/${file} is not what assets/${product.name}.json says`,
      );
      expect(
        readFileSync(path.join(assets, `${file}.sha256`), 'utf8') === `${known.sha256}  ${file}\n`,
        `assets/${file}.sha256 is not what assets/${product.name}.json says`,
      );
      expect(
        first.facts.unsignedSha256 === known.unsignedSha256,
        `assets/${file} is not built from these sources (here ${first.facts.builtWith}, there ${known.builtWith})`,
      );
      console.log(`assets/${file} is built from these sources.`);
      return;
    }
    writeFileSync(path.join(assets, file), first.apk);
    writeFileSync(path.join(assets, `${file}.sha256`), `${first.facts.sha256}  ${file}\n`);
    writeFileSync(factsFile, `${JSON.stringify(first.facts, null, 2)}\n`);
    console.log(`assets/${file}: ${first.facts.bytes} bytes, certificate ${first.facts.certificateSha256}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function build(product: Product, work: string): { readonly apk: Buffer; readonly facts: ApkFacts } {
  const unsigned = buildUnsigned(product, work);
  const signed = path.join(work, 'signed.apk');
  sign(unsigned, signed);
  const { facts, insides } = inspect(signed, unsigned);
  expect(facts.package === product.package, `The package is ${facts.package}`);
  product.examine(insides);
  return { apk: readFileSync(signed), facts };
}
