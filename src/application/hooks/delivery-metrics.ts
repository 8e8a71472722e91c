import type { Counter, Reading, Telemetry } from '../ports/telemetry.js';

/** What sends messages: hooks or alarms. */
export type Sender = 'hook' | 'alarm';

/** What became of an attempt, or `dropped` for a message that its target will never get. */
export type DeliveryFate = 'delivered' | 'failed' | 'dropped';

/** Largest number of names of a sender with series of their own. The others share `OTHER`, so that series stay few. */
const MOST_NAMES = 100;
const OTHER = 'other';

/** Counts of messages that wait, by name of the hook or the alarm. */
export type WaitingCounts = ReadonlyMap<string, number>;

/** Counts what becomes of the messages of hooks and alarms. */
export class DeliveryMetrics {
  readonly #counterOf: (labels: Record<'kind' | 'name' | 'fate', string>) => Counter;
  readonly #names: Readonly<Record<Sender, Set<string>>> = { hook: new Set(), alarm: new Set() };
  readonly #waiting = new Map<Sender, () => WaitingCounts>();

  constructor(telemetry: Telemetry) {
    this.#counterOf = telemetry.counter({
      name: 'weatherd_deliveries_total',
      help: 'Attempts to deliver messages of hooks and alarms, and messages that were dropped.',
      labels: ['kind', 'name', 'fate'],
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
  count(kind: Sender, name: string, fate: DeliveryFate): void {
    this.#counterOf({ kind, name: this.#labelOf(kind, name), fate }).add(1);
  }

  /** @param counts called for each report */
  reportWaiting(kind: Sender, counts: () => WaitingCounts): void {
    this.#waiting.set(kind, counts);
  }

  #readings(kind: Sender, counts: WaitingCounts): readonly Reading<'kind' | 'name'>[] {
    const byLabel = new Map<string, number>();
    for (const [name, count] of counts) {
      const label = this.#labelOf(kind, name);
      byLabel.set(label, (byLabel.get(label) ?? 0) + count);
    }
    return [...byLabel].map(([name, value]) => ({ labels: { kind, name }, value }));
  }

  /** The first names since the start have series of their own, also after they were removed: counters do not end. */
  #labelOf(kind: Sender, name: string): string {
    const names = this.#names[kind];
    if (!names.has(name) && names.size >= MOST_NAMES) return OTHER;
    names.add(name);
    return name;
  }
}
