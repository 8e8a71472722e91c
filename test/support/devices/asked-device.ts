import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { MachineNetwork } from '#adapters/source-network/network.js';
import type { SourceDevice, SourceSettings } from '#application/ports/source-kind.js';
import type { SourceNetwork } from '#application/ports/source-network.js';

/** The time of tests: 2026-11-27T12:00:00Z. */
export const NOW = Date.UTC(2026, 10, 27, 12);

interface DeviceOptions extends SourceSettings {
  readonly secrets?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now?: number;
  /** Time zone of the station. */
  readonly timeZone?: string;
  /** Names of the fields that the owner has mapped. */
  readonly fields?: readonly string[];
  readonly network?: SourceNetwork;
}

/** A device as the service gives it to a kind, with real sockets. */
export interface AskedDevice extends SourceDevice {
  /** What the kind has stored with `keep`, in order. */
  readonly kept: readonly Readonly<Record<string, string>>[];
}

/** Creates a device that is reached through the network of this machine. Loopback addresses are allowed. */
export function askedDevice({
  secrets = {},
  now = NOW,
  timeZone = 'UTC',
  fields = [],
  network = new MachineNetwork(),
  ...settings
}: DeviceOptions): AskedDevice {
  const calendar = new TemporalCalendar();
  const exchange = { rule: 'private', signal: new AbortController().signal } as const;
  const known: Record<string, string> = { ...secrets };
  const kept: Readonly<Record<string, string>>[] = [];
  return {
    ...settings,
    secrets: known,
    fields,
    kept,
    now: () => now,
    instant: (local) => calendar.instant(local, timeZone),
    fetch: async (request) => await network.fetch(request, exchange),
    exchange: async (host, port, sent, isWhole) =>
      await network.exchange(host, port, sent, isWhole, exchange),
    keep: (changed) => {
      kept.push(changed);
      Object.assign(known, changed);
      return Promise.resolve();
    },
  };
}
