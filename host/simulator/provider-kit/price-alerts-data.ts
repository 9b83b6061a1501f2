import { randomUUID } from 'node:crypto';

export interface Alert {
  readonly alert_id: string;
  readonly symbol: string;
  readonly price: number;
  readonly direction: 'above' | 'below';
}

/** The business state as JSON values. */
export interface AlertState {
  readonly alerts: readonly Alert[];
  readonly orders: number;
}

const FIRST: AlertState = {
  alerts: [
    { alert_id: 'al-1', symbol: 'NWND', price: 41.5, direction: 'above' },
    { alert_id: 'al-2', symbol: 'TIDE', price: 9.75, direction: 'below' },
  ],
  orders: 0,
};

/** The business state of the price-alert app; survives a restart of its process. */
export class AlertStore {
  private readonly alerts: Map<string, Alert>;
  private orders: number;

  constructor({ alerts, orders }: AlertState = FIRST) {
    this.alerts = new Map(alerts.map((alert) => [alert.alert_id, alert]));
    this.orders = orders;
  }

  snapshot(): AlertState {
    return { alerts: this.list(), orders: this.orders };
  }

  list(): readonly Alert[] {
    return [...this.alerts.values()];
  }

  create(alert: Omit<Alert, 'alert_id'>): Alert {
    const created = { alert_id: `al-${randomUUID().slice(0, 8)}`, ...alert };
    this.alerts.set(created.alert_id, created);
    return created;
  }

  update(id: string, price: number): Alert | null {
    const known = this.alerts.get(id);
    if (!known) return null;
    const updated = { ...known, price };
    this.alerts.set(id, updated);
    return updated;
  }

  delete(id: string): boolean {
    return this.alerts.delete(id);
  }

  /** Order ids of the exchange do not fit a double. */
  order(): string {
    this.orders++;
    return String(9_007_199_254_740_993n + BigInt(this.orders) * 2n);
  }

  orderCount(): number {
    return this.orders;
  }
}
