import { MILLISECONDS } from '#domain/time.js';
import type { Source } from '#domain/sources/source.js';
import type { Station } from '#domain/weather/station.js';
import { KeyedQueue } from '../keyed-queue.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import { freshFor } from '#domain/sources/fresh-for.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { SourceDevice, SourceKind, SourceReport, Span } from '../ports/source-kind.js';
import type { AddressRule, SourceNetwork } from '../ports/source-network.js';
import type { SourceRecords, SourceSecrets } from './source-records.js';

/** Maximum duration of all exchanges of one request to a source, in milliseconds. */
const TIMEOUT = MILLISECONDS.minute;
/** Maximum number of exchanges of one request. */
const MAX_EXCHANGES = 200;
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

/** Asks sources for reports, one request at a time for a device. */
export class AskSource {
  readonly #clock: Clock;
  readonly #calendar: Calendar;
  readonly #network: SourceNetwork;
  readonly #records: SourceRecords;
  readonly #queue = new KeyedQueue();

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
    const { address, url, account } = source.settings;
    const device = `${kind.name} ${address ?? url ?? account ?? source.name}`;
    return await this.#queue.run(device, async () => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
      try {
        const reports = (await kind.ask?.(this.#device(asked, span, limit, fresh), span)) ?? [];
        return reports.slice(-MAX_REPORTS).toSorted((a, b) => (a.time ?? Infinity) - (b.time ?? Infinity));
      } catch (error) {
        if (error instanceof SourceFailure) throw error;
        if (signal.aborted) throw new SourceFailure('The service stops.');
        if (limit.aborted)
          throw new SourceFailure(`The source did not answer within ${TIMEOUT / MILLISECONDS.second} s.`);
        // A kind reads replies that it has not seen before, of any firmware. A fault of such a reply must not end the service.
        throw new SourceFailure('The reply cannot be read.');
      }
    });
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
