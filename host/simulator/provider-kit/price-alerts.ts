import type { PackageSpec } from '../virtual-device.ts';
import { providerPackage, text, V1 } from './package-builder.ts';
import { type AlertState, AlertStore } from './price-alerts-data.ts';
import { readTools, writeTools } from './price-alerts-tools.ts';
import type { V2Definition, V2Options } from './v2/definition.ts';
import type { DurableState } from './v2/durable.ts';
import { createV2Provider, type V2Provider } from './v2/provider.ts';

export const PRICE_ALERTS_PACKAGE = 'org.example.pricealerts';

/** Scopes that the demo user has granted already; the others answer AUTH_REQUIRED. */
export const DEFAULT_GRANTS: readonly string[] = ['quotes.read', 'alerts.read', 'alerts.write'];

export interface PriceAlerts {
  readonly app: V2Provider;
  readonly store: AlertStore;
  /** Everything that outlives the phone's restart. */
  snapshot(): PriceAlertsState;
}

export interface PriceAlertsState {
  readonly provider: DurableState;
  readonly store: AlertState;
}

/** (b) A dual-stack v2 Provider with tools of every effect; only reads of public data show over v1. `saved`: what its phone kept. */
export function createPriceAlerts(options: V2Options = {}, saved: PriceAlertsState | null = null): PriceAlerts {
  const store = new AlertStore(saved?.store);
  const definition: V2Definition = {
    package: PRICE_ALERTS_PACKAGE,
    providerName: 'Price Alerts',
    description: 'Quotes, price alerts and orders',
    revision: 'tools-7',
    scopes: [
      scope('quotes.read', 'Read quotes', 'read', 'public'),
      scope('alerts.read', 'Read price alerts', 'read', 'financial'),
      scope('alerts.write', 'Manage price alerts', 'write', 'financial'),
      scope('trading.execute', 'Place orders', 'write', 'financial'),
      scope('profile.read', 'Read your profile', 'read', 'personal'),
      scope('wellbeing.read', 'Read watch data', 'read', 'health'),
    ],
    tools: [...readTools(store), ...writeTools(store)],
  };
  const app = createV2Provider(definition, {
    grantedScopes: DEFAULT_GRANTS,
    v1Tools: ['get_quote', 'list_alerts'],
    ...(saved === null ? {} : { durable: saved.provider }),
    ...options,
  });
  return { app, store, snapshot: () => ({ provider: app.snapshot(), store: store.snapshot() }) };
}

export function priceAlertsPackage(app: V2Provider = createPriceAlerts().app): PackageSpec {
  return providerPackage({
    package: PRICE_ALERTS_PACKAGE,
    label: 'Price Alerts',
    app,
    version: V1,
    versions: text('1,2'),
    spec: { versionName: '7.0.3', versionCode: 70_003, signer: 'pricealerts' },
  });
}

function scope(
  name: string,
  title: string,
  access: 'read' | 'write',
  sensitivity: 'public' | 'financial' | 'personal' | 'health',
): V2Definition['scopes'][number] {
  return { name, title, description: `${title} in Price Alerts`, access, sensitivity };
}
