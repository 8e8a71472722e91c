import type { Counter, GaugeReading, Telemetry } from '../ports/telemetry.js';

/** What sends messages: hooks or alarms. */
export type DeliverySender = 'hook' | 'alarm';

/** What became of an attempt, or `dropped` for a message that its target will never get. */
export type DeliveryResult = 'delivered' | 'failed' | 'dropped';

/** Largest number of names of a sender with series of their own. The others share `OTHER`, so that series stay few. */
const MAX_NAMES = 100;
const OTHER = 'other';

/** Counts of messages that wait, by name of the hook or the alarm. */
export type WaitingCounts = ReadonlyMap<string, number>;

/** Counts what becomes of the messages of hooks and alarms. */
export class DeliveryMetrics {
  readonly #counterOf: (labels: Record<'kind' | 'name' | 'outcome' | 'fate', string>) => Counter;
  readonly #names: Readonly<Record<DeliverySender, Set<string>>> = { hook: new Set(), alarm: new Set() };
  readonly #waiting = new Map<DeliverySender, () => WaitingCounts>();

  constructor(telemetry: Telemetry) {
    this.#counterOf = telemetry.counter({
      name: 'weatherd_deliveries_total',
      help: 'Attempts to deliver messages of hooks and alarms, and messages that were dropped.',
      // `fate` is the former name of `outcome`, for one more version.
      labels: ['kind', 'name', 'outcome', 'fate'],
    });
    telemetry.gauge(
      {
        name: 'weatherd_deliveries_waiting',
        help: 'Messages of alarms, and stations with rows for a hook, that wait for their target.',
        labels: ['kind', 'name'],
      },
      () => [...this.#waiting].flatMap(([kind, counts]) => this.#readings(kind, counts())),
    );
  }

  /** @param name of the hook or the alarm */
  count(kind: DeliverySender, name: string, outcome: DeliveryResult): void {
    this.#counterOf({ kind, name: this.#labelOf(kind, name), outcome, fate: outcome }).add(1);
  }

  /** @param counts called for each report */
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

  /** The first names since the start have series of their own, also after they were removed: counters do not end. */
  #labelOf(kind: DeliverySender, name: string): string {
    const names = this.#names[kind];
    if (!names.has(name) && names.size >= MAX_NAMES) return OTHER;
    names.add(name);
    return name;
  }
}
