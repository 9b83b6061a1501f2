import type { Json, JsonObject } from '../../../shared/base/json.ts';
import type { AlertStore } from './price-alerts-data.ts';
import type { ToolOutcome, V2Tool } from './v2/definition.ts';

const READ = {
  effect: 'read',
  risk: 'low',
  destructive: false,
  idempotent: true,
  open_world: false,
  confirmation: 'never',
  execution: 'sync',
} as const;

const SYMBOL: JsonObject = { type: 'string', pattern: '^[A-Z]{1,6}$', description: 'Ticker symbol' };
const PRICE: JsonObject = { type: 'number', exclusiveMinimum: 0 };
const ALERT: JsonObject = {
  type: 'object',
  properties: { alert_id: { type: 'string' }, symbol: SYMBOL, price: PRICE, direction: { enum: ['above', 'below'] } },
  required: ['alert_id', 'symbol', 'price', 'direction'],
};

function input(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

function output(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function value(data: JsonObject): ToolOutcome {
  return { kind: 'value', value: data };
}

const NO_ALERT: ToolOutcome = { kind: 'error', code: 'CONFLICT', message: 'No alert has this id', retryable: false };

/** Tools that read; none of them changes anything. */
export function readTools(store: AlertStore): readonly V2Tool[] {
  return [
    {
      name: 'get_quote',
      title: 'Get quote',
      description: 'Last price of a security.',
      inputSchema: input({ symbol: SYMBOL }, ['symbol']),
      outputSchema: output({ symbol: { type: 'string' }, price: PRICE, volume: { type: 'integer' } }),
      scopes: ['quotes.read'],
      annotations: { ...READ, open_world: true },
      // The volume does not fit a double: every digit counts.
      run: (args) => ({
        kind: 'value',
        value: { text: `{"symbol":${JSON.stringify(args['symbol'])},"price":42.10,"volume":9223372036854775807}` },
      }),
    },
    {
      name: 'list_alerts',
      title: 'List price alerts',
      description: 'All price alerts of the user.',
      inputSchema: input({}),
      outputSchema: output({ alerts: { type: 'array', items: ALERT } }),
      scopes: ['alerts.read'],
      annotations: READ,
      run: () => value({ alerts: store.list().map((alert) => ({ ...alert })) }),
    },
    {
      name: 'get_profile',
      title: 'Get investor profile',
      description: "Name and risk class of the account's owner.",
      inputSchema: input({}),
      outputSchema: output({ name: { type: 'string' }, risk_class: { enum: ['cautious', 'balanced', 'bold'] } }),
      scopes: ['profile.read'],
      annotations: READ,
      run: () => value({ name: 'Robin Vale', risk_class: 'balanced' }),
    },
    {
      name: 'get_trading_stress',
      title: 'Get trading stress',
      description: 'Resting pulse while the market was open, from the linked watch.',
      inputSchema: input({ days: { type: 'integer', minimum: 1, maximum: 30, default: 7 } }),
      outputSchema: output({ resting_pulse: { type: 'array', items: { type: 'integer' } } }),
      scopes: ['wellbeing.read'],
      annotations: READ,
      run: () => value({ resting_pulse: [61, 63, 60, 72, 66, 62, 61] }),
    },
    {
      name: 'export_history',
      title: 'Export price history',
      description: 'Daily prices of a security as one large JSON document.',
      inputSchema: input({ symbol: SYMBOL, years: { type: 'integer', minimum: 1, maximum: 40 } }, ['symbol', 'years']),
      outputSchema: output({ symbol: { type: 'string' }, days: { type: 'array', items: { type: 'object' } } }),
      scopes: ['quotes.read'],
      annotations: { ...READ, execution: 'sync_or_async' },
      run: (args) => value({ symbol: String(args['symbol']), days: days(Number(args['years']) * 365) }),
    },
  ];
}

function symbolsOf(args: JsonObject): readonly Json[] {
  return Array.isArray(args['symbols']) ? args['symbols'] : [];
}

function days(count: number): JsonObject[] {
  const first = Date.UTC(2000, 0, 1);
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(first + index * 86_400_000).toISOString().slice(0, 10),
    close: 40 + (index % 37) / 10,
  }));
}

/** Tools with effects, of every kind. */
export function writeTools(store: AlertStore): readonly V2Tool[] {
  return [
    {
      name: 'create_alert',
      title: 'Create price alert',
      description: 'Create a price alert for a security. Prices above 10000 are confirmed on the device.',
      inputSchema: input({ symbol: SYMBOL, price: PRICE, direction: { enum: ['above', 'below'], default: 'above' } }, [
        'symbol',
        'price',
      ]),
      outputSchema: output({ alert_id: { type: 'string' } }),
      scopes: ['alerts.write'],
      annotations: { ...READ, effect: 'create', risk: 'moderate', idempotent: false, confirmation: 'provider_policy' },
      needsUser: (args) => Number(args['price']) > 10_000,
      run: (args) => {
        const direction = args['direction'] === 'below' ? 'below' : 'above';
        const alert = store.create({ symbol: String(args['symbol']), price: Number(args['price']), direction });
        return value({ alert_id: alert.alert_id });
      },
    },
    {
      name: 'update_alert',
      title: 'Change price alert',
      description: 'Set the price of an alert.',
      inputSchema: input({ alert_id: { type: 'string' }, price: PRICE }, ['alert_id', 'price']),
      outputSchema: ALERT,
      scopes: ['alerts.write'],
      annotations: { ...READ, effect: 'update' },
      run: (args) => {
        const alert = store.update(String(args['alert_id']), Number(args['price']));
        return alert ? value({ ...alert }) : NO_ALERT;
      },
    },
    {
      name: 'delete_alert',
      title: 'Delete price alert',
      description: 'Delete an alert for good.',
      inputSchema: input({ alert_id: { type: 'string' } }, ['alert_id']),
      outputSchema: output({ deleted: { type: 'boolean' } }),
      scopes: ['alerts.write'],
      annotations: {
        ...READ,
        effect: 'delete',
        risk: 'moderate',
        destructive: true,
        confirmation: 'always',
      },
      consequences: (args) => `Alert ${String(args['alert_id'])} is deleted and cannot be brought back.`,
      run: (args) => (store.delete(String(args['alert_id'])) ? value({ deleted: true }) : NO_ALERT),
    },
    {
      name: 'place_order',
      title: 'Place order',
      description: 'Buy or sell a security at the market price. Real money.',
      inputSchema: input(
        { symbol: SYMBOL, side: { enum: ['buy', 'sell'] }, quantity: { type: 'integer', minimum: 1, maximum: 1000 } },
        ['symbol', 'side', 'quantity'],
      ),
      outputSchema: output({ order_id: { type: 'integer' }, state: { enum: ['filled', 'open'] } }),
      scopes: ['trading.execute', 'alerts.read'],
      annotations: {
        ...READ,
        effect: 'transaction',
        risk: 'high',
        destructive: true,
        idempotent: false,
        open_world: true,
        confirmation: 'always',
      },
      consequences: (args) =>
        `A market order for ${String(args['quantity'])} ${String(args['symbol'])} (${String(args['side'])}) is sent with real money. It cannot be taken back.`,
      run: () => ({ kind: 'value', value: { text: `{"order_id":${store.order()},"state":"filled"}` } }),
    },
    {
      name: 'import_watchlist',
      title: 'Import watchlist',
      description: 'Create an alert for each symbol of a list, in the background.',
      inputSchema: input({ symbols: { type: 'array', items: SYMBOL, minItems: 1, maxItems: 500 } }, ['symbols']),
      outputSchema: output({ imported: { type: 'integer' } }),
      scopes: ['alerts.write'],
      annotations: {
        ...READ,
        effect: 'create',
        risk: 'moderate',
        idempotent: false,
        confirmation: 'provider_policy',
        execution: 'sync_or_async',
      },
      cancelLoses: (args) => symbolsOf(args).includes('LATE'),
      run: (args) => {
        const symbols = symbolsOf(args);
        if (symbols.includes('FAIL')) {
          return {
            kind: 'error',
            code: 'UNAVAILABLE',
            message: 'The exchange is closed',
            retryable: true,
            retryAfterMs: 60_000,
          };
        }
        for (const symbol of symbols) store.create({ symbol: String(symbol), price: 1, direction: 'above' });
        return value({ imported: symbols.length });
      },
    },
  ];
}
