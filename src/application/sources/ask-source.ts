import { MILLISECONDS } from '#domain/time.js';
import { deviceKey } from '#domain/sources/device-key.js';
import type { Source } from '#domain/sources/source.js';
import type { Station } from '#domain/weather/station.js';
import { KeyedQueue } from '../keyed-queue.js';
import { pauseFor } from '../pause.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import { freshFor } from '#domain/sources/fresh-for.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { SourceDevice, SourceKind, SourceReport, Span } from '../ports/source-kind.js';
import type { AddressRule, SourceNetwork } from '../ports/source-network.js';
import { withinTime } from '../time-limit.js';
import type { SourceRecords, SourceSecrets } from './source-records.js';

/** Maximum duration of all exchanges of one request to a source, in milliseconds. */
const TIMEOUT = MILLISECONDS.minute;
/** Maximum number of exchanges of one request. */
const MAX_EXCHANGES = 200;
/** Port of a device whose address names none, if its kind does not say another one. */
const HTTP_PORT = 80;
/** Largest number of reports that one request may return. */
const MAX_REPORTS = 100_000;

/** A source with all that is needed to ask it. It may not be stored yet. */
export interface AskedSource {
  readonly source: Pick<Source, 'name' | 'settings' | 'mappings' | 'allowAnyAddress'>;
  readonly kind: SourceKind;
  readonly station: Station;
  /** Secrets that the kind replaces (`SourceDevice.keep`) are replaced in this object too, so that the next request has them. */
  readonly secrets: SourceSecrets;
  /** Present if a person has just given the secrets. Otherwise they were stored. */
  readonly areSecretsGiven?: true;
  /** Time of the newest stored report, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since?: number;
}

/** The last request for the newest report of a device. */
interface LastRequest {
  /** Name of the source. */
  readonly source: string;
  /** `Clock.uptime` until which no other source may ask the device. */
  readonly until: number;
}

/**
 * Asks sources for reports, one request at a time for a device. Two sources with the same local device share its shortest interval.
 */
export class AskSource {
  readonly #clock: Clock;
  readonly #calendar: Calendar;
  readonly #network: SourceNetwork;
  readonly #records: SourceRecords;
  readonly #queue = new KeyedQueue();
  /** By device. */
  readonly #last = new Map<string, LastRequest>();

  constructor(clock: Clock, calendar: Calendar, network: SourceNetwork, records: SourceRecords) {
    this.#clock = clock;
    this.#calendar = calendar;
    this.#network = network;
    this.#records = records;
  }

  /**
   * @param span undefined for the newest report
   * @param fresh called with the milliseconds for which a reply says that it stays valid
   * @returns the reports, the oldest first
   * @throws SourceFailure
   */
  async execute(
    asked: AskedSource,
    span: Span | undefined,
    signal: AbortSignal,
    fresh: (milliseconds: number) => void = () => undefined,
  ): Promise<readonly SourceReport[]> {
    const { source, kind } = asked;
    const device = `${kind.name} ${deviceKey(source.settings, kind.port ?? HTTP_PORT) ?? source.name}`;
    return await this.#queue.run(device, async () => {
      if (kind.reach === 'local' && span === undefined) await this.#takeTurn(device, asked, signal);
      return await withinTime(TIMEOUT, signal, async (limit) => {
        try {
          const reports = (await kind.ask?.(this.#device(asked, span, limit, fresh), span)) ?? [];
          return reports.slice(-MAX_REPORTS).toSorted((a, b) => (a.time ?? Infinity) - (b.time ?? Infinity));
        } catch (error) {
          if (signal.aborted) throw new SourceFailure('The service stops.');
          if (limit.aborted)
            throw new SourceFailure(`The source did not answer within ${TIMEOUT / MILLISECONDS.second} s.`);
          if (error instanceof SourceFailure) throw error;
          // A kind reads replies that it has not seen before, of any firmware. A fault of such a reply must not end the service.
          throw new SourceFailure('The reply cannot be read.');
        }
      });
    });
  }

  /** Waits until another source may ask the device. @throws SourceFailure if the service stops meanwhile */
  async #takeTurn(device: string, { source, kind }: AskedSource, signal: AbortSignal): Promise<void> {
    const last = this.#last.get(device);
    const wait = last === undefined || last.source === source.name ? 0 : last.until - this.#clock.uptime();
    if (wait > 0) await pauseFor(wait, signal);
    if (signal.aborted) throw new SourceFailure('The service stops.');
    const now = this.#clock.uptime();
    for (const [other, { until }] of this.#last) if (until <= now) this.#last.delete(other);
    const until = now + kind.shortestInterval * MILLISECONDS.second;
    this.#last.set(device, { source: source.name, until });
  }

  #device(
    { source, kind, station, secrets, areSecretsGiven, since }: AskedSource,
    span: Span | undefined,
    signal: AbortSignal,
    fresh: (milliseconds: number) => void,
  ): SourceDevice {
    const reach = (span === undefined ? undefined : kind.history?.reach) ?? kind.reach;
    const rule = source.allowAnyAddress ? 'any' : RULES[reach];
    let exchanges = 0;
    const count = () => {
      exchanges += 1;
      if (exchanges > MAX_EXCHANGES) throw new SourceFailure('The source needs too many requests.');
      return { rule, signal };
    };
    return {
      ...source.settings,
      secrets,
      fields: source.mappings.map(({ field }) => field),
      ...(since !== undefined && { since }),
      now: () => this.#clock.now(),
      instant: (local) => this.#calendar.instant(local, station.timeZone),
      fetch: async (request) => {
        const reply = await this.#network.fetch(request, count());
        fresh(freshFor(reply.headers, this.#clock.now()));
        return reply;
      },
      exchange: async (host, port, sent, isWhole) =>
        await this.#network.exchange(host, port, sent, isWhole, count()),
      keep: async (changed) => {
        let kept;
        try {
          const now = this.#clock.now();
          kept = await this.#records.keepSecrets(
            source.name,
            secrets,
            changed,
            areSecretsGiven === true,
            now,
          );
        } catch {
          throw new SourceFailure('New secrets of the source could not be stored.');
        }
        Object.assign(secrets, kept);
        // What came with the new secrets must not be used, because that could end those of the other process.
        if (Object.entries(changed).some(([key, value]) => kept[key] !== value))
          throw new SourceFailure('Another process has asked the source with the same secrets.');
      },
    };
  }
}

/** The addresses that a kind may ask. */
const RULES: Readonly<Record<SourceKind['reach'], AddressRule>> = { local: 'private', public: 'public' };
