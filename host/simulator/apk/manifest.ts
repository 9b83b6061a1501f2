import type {
  ManifestActivity,
  ManifestMetaData,
  ManifestProvider,
  ManifestService,
  PackageSpec,
} from '../virtual-device.ts';
import type { AndroidAttribute, AxmlElement, AxmlValue } from './axml-write.ts';
import type { StringResources } from './resources.ts';

type Attributes = Partial<Record<AndroidAttribute, AxmlValue>>;

const text = (v: string): AxmlValue => ({ t: 'string', v });
const flag = (v: boolean): AxmlValue => ({ t: 'boolean', v });
const int = (v: number): AxmlValue => ({ t: 'int', v });

/** The element tree of `AndroidManifest.xml`; string resources that it needs are added to `resources`. */
export function manifestOf(spec: PackageSpec, resources: StringResources): AxmlElement {
  const root: Attributes = { versionCode: int(spec.versionCode), versionName: text(spec.versionName) };
  if (spec.sharedUserId !== null) root.sharedUserId = text(spec.sharedUserId);
  const label = spec.labelIsResource ? reference(resources.add('app_name', spec.label)) : text(spec.label);
  return {
    tag: 'manifest',
    attributes: root,
    plain: { package: spec.package },
    children: [
      { tag: 'uses-sdk', attributes: { minSdkVersion: int(26), targetSdkVersion: int(34) } },
      ...spec.definesPermissions.map((name) => ({
        tag: 'permission',
        attributes: { name: text(name), protectionLevel: { t: 'hex', v: 0 } satisfies AxmlValue },
      })),
      ...spec.usesPermissions.map((name) => ({ tag: 'uses-permission', attributes: { name: text(name) } })),
      {
        tag: 'application',
        attributes: { label, hasCode: flag(false) },
        children: [
          ...(spec.activities ?? []).map(activity),
          ...spec.services.map((service) => serviceElement(service, resources)),
          ...spec.providers.map(provider),
        ],
      },
    ],
  };
}

function serviceElement(service: ManifestService, resources: StringResources): AxmlElement {
  const attributes = componentAttributes(service);
  if (service.processName !== null) attributes.process = text(service.processName);
  return {
    tag: 'service',
    attributes,
    children: [...filters(service.actions), ...service.metaData.map((item) => metaData(item, resources))],
  };
}

function activity(item: ManifestActivity): AxmlElement {
  return { tag: 'activity', attributes: componentAttributes(item), children: filters(item.actions) };
}

function componentAttributes(item: ManifestService | ManifestActivity): Attributes {
  const attributes: Attributes = { name: text(item.name), exported: flag(item.exported) };
  if (!item.enabled) attributes.enabled = flag(false);
  if (item.permission !== null) attributes.permission = text(item.permission);
  return attributes;
}

function filters(actions: readonly string[]): AxmlElement[] {
  if (actions.length === 0) return [];
  const children = actions.map((name) => ({ tag: 'action', attributes: { name: text(name) } }));
  return [{ tag: 'intent-filter', attributes: {}, children }];
}

function metaData(item: ManifestMetaData, resources: StringResources): AxmlElement {
  return { tag: 'meta-data', attributes: { name: text(item.name), value: metaValue(item, resources) } };
}

function metaValue(item: ManifestMetaData, resources: StringResources): AxmlValue {
  const { value } = item;
  if (value.t !== 'stringRef') return value;
  return reference(resources.add(`meta_${item.name.replaceAll(/[^a-z0-9]/gi, '_')}`, value.v));
}

function provider(item: ManifestProvider): AxmlElement {
  const attributes: Attributes = {
    name: text(item.name),
    authorities: text(item.authorities.join(';')),
    exported: flag(item.exported),
    initOrder: int(item.initOrder),
  };
  if (!item.enabled) attributes.enabled = flag(false);
  if (item.grantUriPermissions) attributes.grantUriPermissions = flag(true);
  if (item.processName !== null) attributes.process = text(item.processName);
  if (item.readPermission !== null && item.readPermission === item.writePermission) {
    attributes.permission = text(item.readPermission);
  } else {
    if (item.readPermission !== null) attributes.readPermission = text(item.readPermission);
    if (item.writePermission !== null) attributes.writePermission = text(item.writePermission);
  }
  return { tag: 'provider', attributes };
}

function reference(id: number): AxmlValue {
  return { t: 'reference', v: id };
}
