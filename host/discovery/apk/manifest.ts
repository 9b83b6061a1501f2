import type { BundleEntry } from '../../../shared/model/bundle.ts';
import type { Resolution } from './arsc.ts';
import { ResType, type ResValue, type XmlAttribute, type XmlElement } from './axml.ts';
import { ApkFault } from './fault.ts';

/** Resource ids of the platform's manifest attributes (`android.R.attr`). */
const Attr = {
  label: 0x01010001,
  name: 0x01010003,
  permission: 0x01010006,
  readPermission: 0x01010007,
  writePermission: 0x01010008,
  sharedUserId: 0x0101000b,
  enabled: 0x0101000e,
  exported: 0x01010010,
  process: 0x01010011,
  authorities: 0x01010018,
  initOrder: 0x0101001a,
  grantUriPermissions: 0x0101001b,
  value: 0x01010024,
  resource: 0x01010025,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  versionCodeMajor: 0x01010576,
} as const;
const wantedIds: ReadonlySet<number> = new Set(Object.values(Attr));
const wantedElements = new Set([
  ...['manifest', 'uses-sdk', 'application', 'permission', 'uses-permission'],
  ...['activity', 'activity-alias', 'receiver', 'service', 'provider', 'meta-data', 'action'],
]);
/** From this target on a provider is not exported unless it says so (API 17). */
const EXPORT_DEFAULT_CHANGED = 17;
/** More references than any real manifest has; further ones stay unresolved. */
const MAX_REFERENCES = 5000;
/** All texts of the facts together, in UTF-16 units: many attributes can share one long string. */
const MAX_TEXT = 1024 * 1024;

export interface ServiceFacts {
  readonly name: string;
  readonly exported: boolean;
  readonly enabled: boolean;
  readonly permission: string | null;
  readonly processName: string;
  readonly actions: readonly string[];
  readonly metaData: readonly BundleEntry[];
}

export interface ContentProviderFacts {
  readonly name: string;
  readonly authorities: readonly string[];
  readonly exported: boolean;
  readonly enabled: boolean;
  readonly readPermission: string | null;
  readonly writePermission: string | null;
  readonly grantUriPermissions: boolean;
  readonly initOrder: number;
  readonly processName: string;
}

/** What a manifest says, in the meaning that the package manager gives it. */
export interface ManifestFacts {
  readonly package: string;
  readonly versionName: string | null;
  /** Decimal, up to 64 bits. */
  readonly versionCode: string | null;
  readonly sharedUserId: string | null;
  /** In the default language, or null where there is none or it could not be resolved. */
  readonly label: string | null;
  /** Another language may show another label. */
  readonly labelHasLocales: boolean;
  readonly services: readonly ServiceFacts[];
  readonly providers: readonly ContentProviderFacts[];
  readonly definesPermissions: readonly string[];
  readonly usesPermissions: readonly string[];
  /** Actions of the intent filters of every exported component: what `<queries>` can match. */
  readonly exportedActions: ReadonlySet<string>;
  /** Resource references that could not be resolved, such as `service .Tools: enabled`. Their facts are the defaults. */
  readonly unresolved: readonly string[];
}

/** Every reference among the attributes that matter; resolve them before `readManifest`. */
export function referencesOf(root: XmlElement): Set<number> {
  const references = new Set<number>();
  const stack = [root];
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    stack.push(...element.children);
    if (!wantedElements.has(element.name)) continue;
    for (const attribute of element.attributes) {
      if (isReference(attribute) && wantedIds.has(attribute.id) && references.size < MAX_REFERENCES) {
        references.add(attribute.data);
      }
    }
  }
  return references;
}

function isReference(value: ResValue): boolean {
  return value.type === ResType.reference || value.type === ResType.dynamicReference;
}

/** Reads the facts. `resolved` holds what resources.arsc says on each reference. */
export function readManifest(root: XmlElement, resolved: ReadonlyMap<number, Resolution>): ManifestFacts {
  if (root.name !== 'manifest') throw new ApkFault('manifest-invalid', `the root element is ${root.name}`);
  const reader = new Reader(resolved);
  const packageName = root.attributes.find((attribute) => attribute.name === 'package' && attribute.id === 0)?.string;
  if (packageName === null || packageName === undefined) throw new ApkFault('manifest-invalid', 'no package name');
  const application = root.children.find((child) => child.name === 'application');
  const usesSdk = root.children.find((child) => child.name === 'uses-sdk');
  const target = reader.int(usesSdk, Attr.targetSdkVersion) ?? reader.int(usesSdk, Attr.minSdkVersion) ?? 1;
  const scope: Scope = {
    packageName,
    enabled: reader.boolean(application, Attr.enabled) ?? true,
    permission: emptyToNull(reader.text(application, Attr.permission)),
    process: processName(packageName, reader.text(application, Attr.process), packageName),
    providersExported: target < EXPORT_DEFAULT_CHANGED,
  };
  const components = application?.children ?? [];
  const label = reader.labelOf(application);
  return {
    package: packageName,
    versionName: reader.text(root, Attr.versionName),
    versionCode: versionCode(reader, root),
    sharedUserId: reader.text(root, Attr.sharedUserId),
    label: label.text,
    labelHasLocales: label.hasLocales,
    services: components.filter((child) => child.name === 'service').map((child) => service(reader, child, scope)),
    providers: components.filter((child) => child.name === 'provider').map((child) => provider(reader, child, scope)),
    definesPermissions: names(reader, root, 'permission'),
    usesPermissions: names(reader, root, 'uses-permission'),
    exportedActions: exportedActions(reader, components),
    unresolved: reader.unresolved,
  };
}

interface Scope {
  readonly packageName: string;
  readonly enabled: boolean;
  readonly permission: string | null;
  readonly process: string;
  readonly providersExported: boolean;
}

class Reader {
  readonly unresolved: string[] = [];
  private readonly resolved: ReadonlyMap<number, Resolution>;
  private textUnits = 0;
  constructor(resolved: ReadonlyMap<number, Resolution>) {
    this.resolved = resolved;
  }

  attribute(element: XmlElement | undefined, id: number): XmlAttribute | undefined {
    return element?.attributes.find((attribute) => attribute.id === id);
  }

  /** The attribute's final value; undefined where it is absent, null where its reference leads nowhere. */
  value(element: XmlElement | undefined, id: number): ResValue | null | undefined {
    const attribute = this.attribute(element, id);
    if (attribute === undefined || !isReference(attribute)) return this.counted(attribute);
    const resolution = this.resolved.get(attribute.data);
    if (resolution?.kind === 'value') return this.counted(resolution.value);
    if (this.unresolved.length < 100) this.unresolved.push(`<${element?.name}> ${attribute.name}=@${hex(attribute)}`);
    return null;
  }

  private counted(value: ResValue | undefined): ResValue | undefined {
    this.textUnits += value?.string?.length ?? 0;
    if (this.textUnits > MAX_TEXT)
      throw new ApkFault('manifest-too-large', `more than ${MAX_TEXT} characters of facts`);
    return value;
  }

  text(element: XmlElement | undefined, id: number): string | null {
    const value = this.value(element, id);
    if (value === null || value === undefined) return null;
    if (value.type === ResType.string) return value.string;
    if (value.type === ResType.boolean) return String(value.data !== 0);
    if (value.type >= ResType.firstInt && value.type <= ResType.lastInt) return String(value.data | 0);
    return value.type === ResType.float ? String(toFloat(value.data)) : null;
  }

  boolean(element: XmlElement | undefined, id: number): boolean | undefined {
    const value = this.value(element, id);
    if (value === null || value === undefined) return undefined;
    const isNumber = value.type >= ResType.firstInt && value.type <= ResType.lastInt;
    return isNumber ? value.data !== 0 : undefined;
  }

  int(element: XmlElement | undefined, id: number): number | undefined {
    const value = this.value(element, id);
    if (value === null || value === undefined) return undefined;
    return value.type >= ResType.firstInt && value.type <= ResType.lastInt ? value.data | 0 : undefined;
  }

  labelOf(element: XmlElement | undefined): { readonly text: string | null; readonly hasLocales: boolean } {
    const attribute = this.attribute(element, Attr.label);
    const resolution = attribute && isReference(attribute) ? this.resolved.get(attribute.data) : undefined;
    return { text: this.text(element, Attr.label), hasLocales: resolution?.kind === 'value' && resolution.hasLocales };
  }
}

function hex(value: ResValue): string {
  return `0x${value.data.toString(16).padStart(8, '0')}`;
}

/** The shortest decimal that reads back as the same 32-bit float, as the platform prints it. */
function toFloat(bits: number): number {
  const cell = new DataView(new ArrayBuffer(4));
  cell.setUint32(0, bits);
  const exact = cell.getFloat32(0);
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === exact) return short;
  }
  return exact;
}

function versionCode(reader: Reader, root: XmlElement): string | null {
  const minor = reader.int(root, Attr.versionCode);
  const major = reader.int(root, Attr.versionCodeMajor);
  if (minor === undefined && major === undefined) return null;
  if (major === undefined || major === 0) return String(minor ?? 0);
  return String((BigInt(major) << 32n) | BigInt((minor ?? 0) >>> 0));
}

function emptyToNull(text: string | null): string | null {
  return text === '' ? null : text;
}

/** `.Tools` and `Tools` are relative to the package. */
function className(packageName: string, name: string): string {
  if (name.startsWith('.')) return packageName + name;
  return name.includes('.') ? name : `${packageName}.${name}`;
}

function processName(packageName: string, name: string | null, fallback: string): string {
  if (name === null || name === '') return fallback;
  return name.startsWith(':') ? packageName + name : name;
}

function names(reader: Reader, root: XmlElement, element: string): string[] {
  const found = root.children.filter((child) => child.name === element).map((child) => reader.text(child, Attr.name));
  return [...new Set(found.filter((name) => name !== null))];
}

function actionsOf(reader: Reader, component: XmlElement): string[] {
  return component.children
    .filter((child) => child.name === 'intent-filter')
    .flatMap((filter) => names(reader, filter, 'action'));
}

function exportedActions(reader: Reader, components: readonly XmlElement[]): Set<string> {
  const actions = new Set<string>();
  for (const component of components) {
    if (!['activity', 'activity-alias', 'receiver', 'service'].includes(component.name)) continue;
    const own = actionsOf(reader, component);
    if (reader.boolean(component, Attr.exported) ?? own.length > 0) for (const action of own) actions.add(action);
  }
  return actions;
}

function service(reader: Reader, element: XmlElement, scope: Scope): ServiceFacts {
  const actions = actionsOf(reader, element);
  const hasFilter = element.children.some((child) => child.name === 'intent-filter');
  const permission = reader.text(element, Attr.permission);
  return {
    name: className(scope.packageName, reader.text(element, Attr.name) ?? ''),
    exported: reader.boolean(element, Attr.exported) ?? hasFilter,
    enabled: scope.enabled && (reader.boolean(element, Attr.enabled) ?? true),
    permission: permission === null ? scope.permission : emptyToNull(permission),
    processName: processName(scope.packageName, reader.text(element, Attr.process), scope.process),
    actions,
    metaData: element.children
      .filter((child) => child.name === 'meta-data')
      .flatMap((child) => metaData(reader, child) ?? []),
  };
}

function provider(reader: Reader, element: XmlElement, scope: Scope): ContentProviderFacts {
  const both = reader.text(element, Attr.permission);
  const permission = (id: number): string | null => {
    const own = reader.text(element, id) ?? both;
    return own === null ? scope.permission : emptyToNull(own);
  };
  return {
    name: className(scope.packageName, reader.text(element, Attr.name) ?? ''),
    authorities: (reader.text(element, Attr.authorities) ?? '').split(';').filter((authority) => authority !== ''),
    exported: reader.boolean(element, Attr.exported) ?? scope.providersExported,
    enabled: scope.enabled && (reader.boolean(element, Attr.enabled) ?? true),
    readPermission: permission(Attr.readPermission),
    writePermission: permission(Attr.writePermission),
    grantUriPermissions: reader.boolean(element, Attr.grantUriPermissions) ?? false,
    initOrder: reader.int(element, Attr.initOrder) ?? 0,
    processName: processName(scope.packageName, reader.text(element, Attr.process), scope.process),
  };
}

/** The framework's rule: `android:resource` gives the id, `android:value` its compiled type after references. */
function metaData(reader: Reader, element: XmlElement): BundleEntry | null {
  const key = reader.text(element, Attr.name);
  if (key === null) return null;
  const resource = reader.attribute(element, Attr.resource);
  if (resource !== undefined && isReference(resource) && resource.data !== 0) {
    return { key, t: 'int', v: resource.data | 0 };
  }
  const attribute = reader.attribute(element, Attr.value);
  const value = reader.value(element, Attr.value);
  if (value === undefined || attribute === undefined) return null;
  if (value === null) {
    return { key, t: 'unreadable', v: { class: 'resource', error: `@${hex(attribute)} could not be resolved` } };
  }
  if (value.type === ResType.string) return { key, t: 'string', v: value.string ?? '' };
  if (value.type === ResType.boolean) return { key, t: 'boolean', v: value.data !== 0 };
  if (value.type === ResType.float) return { key, t: 'float', v: floatValue(value.data) };
  if (value.type >= ResType.firstInt && value.type <= ResType.lastInt) return { key, t: 'int', v: value.data | 0 };
  return { key, t: 'opaque', v: { class: `resource type 0x${value.type.toString(16)}`, text: hex(value) } };
}

function floatValue(bits: number): number | 'NaN' | 'Infinity' | '-Infinity' {
  const value = toFloat(bits);
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return value;
  return value > 0 ? 'Infinity' : '-Infinity';
}
