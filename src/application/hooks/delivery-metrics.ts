import type { Counter, GaugeReading, Telemetry } from '../ports/telemetry.js';

/** The source of a message. */
export type DeliverySender = 'hook' | 'alarm';

/** `delivered` and `failed` are outcomes of an attempt. `dropped` means that the target will never get the message. */
export type DeliveryResult = 'delivered' | 'failed' | 'dropped';

/**
 * Maximum number of hooks, and of alarms, with their own time series. All others share the name `OTHER`, so that the number of
 * time series is limited.
 */
const MAX_NAMES = 100;
const OTHER = 'other';

/** Number of waiting messages by name of the hook or alarm. */
export type WaitingCounts = ReadonlyMap<string, number>;

/** Counts the attempts and the waiting messages of hooks and alarms, for the metrics. */
export class DeliveryMetrics {
  readonly #counterOf: (labels: Record<'kind' | 'name' | 'outcome' | 'fate', string>) => Counter;
  readonly #names: Readonly<Record<DeliverySender, Set<string>>> = { hook: new Set(), alarm: new Set() };
  readonly #waiting = new Map<DeliverySender, () => WaitingCounts>();

  constructor(telemetry: Telemetry) {
    this.#counterOf = telemetry.counter({
      name: 'weatherd_deliveries_total',
      help: 'Attempts to deliver messages of hooks and alarms, and messages that were dropped.',
      // The label `fate` is the former name of `outcome`. It is written for one more version.
      labels: ['kind', 'name', 'outcome', 'fate'],
    });
    telemetry.gauge(
      {
        name: 'weatherd_deliveries_waiting',
        help: 'Messages of alarms, and stations with rows and forecasts for a hook, that wait for their target.',
        labels: ['kind', 'name'],
      },
      () => [...this.#waiting].flatMap(([kind, counts]) => this.#readings(kind, counts())),
    );
  }

  /** @param name name of the hook or alarm */
  count(kind: DeliverySender, name: string, outcome: DeliveryResult): void {
    this.#counterOf({ kind, name: this.#labelOf(kind, name), outcome, fate: outcome }).add(1);
  }

  /** @param counts called at each report of the metrics */
  reportWaiting(kind: DeliverySender, counts: () => WaitingCounts): void {
    this.#waiting.set(kind, counts);
  }

  #readings(kind: DeliverySender, counts: WaitingCounts): readonly GaugeReading<'kind' | 'name'>[] {
    const byLabel = new Map<string, number>();
    for (const [name, count] of counts) {
      const label = this.#labelOf(kind, name);
      byLabel.set(label, (byLabel.get(label) ?? 0) + count);
    }
    return [...byLabel].map(([name, value]) => ({ labels: { kind, name }, value }));
  }

  /**
   * Returns the name of a hook or alarm for the metrics. For each kind, the first `MAX_NAMES` names since the start are kept,
   * because a counter must not disappear. All other names become `OTHER`.
   */
  #labelOf(kind: DeliverySender, name: string): string {
    const names = this.#names[kind];
    if (!names.has(name) && names.size >= MAX_NAMES) return OTHER;
    names.add(name);
    return name;
  }
}
