import { isDomainError } from '#domain/domain-error.js';
import { issuedIn } from '#domain/forecast/forecast-text.js';
import type { Station } from '#domain/weather/station.js';
import type { ForecastOrders } from '../forecast/forecast-orders.js';
import type { ForecastRecords, ForecastSeries } from '../forecast/forecast-records.js';
import type { LearnForecasts } from '../forecast/learn-forecasts.js';
import {
  faultsOf,
  forecastRecordNamed,
  type ForecastRecordKind,
  type NamedRecord,
  readableLines,
} from '../forecast/record-texts.js';
import type { ScoreForecasts } from '../forecast/score-forecasts.js';
import type { Clock } from '../ports/clock.js';
import type { RecordStore } from '../ports/record-store.js';
import type { StationStore } from '../ports/station-store.js';
import type { TransferStore } from '../ports/transfer-store.js';
import { forecastRecordsOf } from '../record-forms.js';
import { readRecords } from './copy/record-pages.js';

/** A damaged record of forecasts. */
export interface DamagedForecast {
  /** Id of the station; null for a station that does not exist. */
  readonly station: string | null;
  /** Name of the provider; null for an order and its state. */
  readonly provider: string | null;
  readonly record: ForecastRecordKind | 'series';
  /**
   * Time of issue of the forecast, as RFC 3339, or the hours of its record if it cannot be read: `2026-11-28T06`. The month of scores:
   * `2026-11`. Null for other records.
   */
  readonly time: string | null;
  /** The fault, as the end of a sentence. */
  readonly reason: string;
  /** What has become of the record: it was removed, or computed again from the forecasts and the observations. Null without `discard`. */
  readonly outcome: 'removed' | 'computed again' | null;
}

export interface CheckForecastsDependencies {
  readonly clock: Clock;
  readonly stations: StationStore;
  readonly transfer: Pick<TransferStore, 'read'>;
  readonly store: RecordStore;
  readonly records: ForecastRecords;
  readonly orders: ForecastOrders;
  readonly learn: LearnForecasts;
  readonly score: ScoreForecasts;
}

interface Found {
  readonly named: NamedRecord;
  readonly damaged: DamagedForecast;
}

interface Survey {
  readonly found: readonly Found[];
  /** Number of the records of stations that do not exist, by number of the station and name of the provider. */
  readonly ownerless: ReadonlyMap<number, ReadonlyMap<string | null, number>>;
  /** Time of the first issued forecast that can be read, by `keyOf`. In milliseconds since 1970-01-01T00:00:00Z. */
  readonly firstIssues: ReadonlyMap<string, number>;
}

/** Finds damaged records of forecasts. Removes them on request, and computes again what follows from the others. */
export class CheckForecasts {
  readonly #with: CheckForecastsDependencies;

  constructor(dependencies: CheckForecastsDependencies) {
    this.#with = dependencies;
  }

  /**
   * @param discard whether damaged records are removed. What was learned and scores are then computed again if their forecasts and
   *   observations are stored
   * @throws the reason of the signal; DomainError STORE_UNAVAILABLE
   */
  async execute(discard: boolean, signal?: AbortSignal): Promise<readonly DamagedForecast[]> {
    const survey = await this.#survey(signal);
    const ownerless = [...survey.ownerless].flatMap(([station, providers]) =>
      [...providers].map(([provider, count]): DamagedForecast => ({
        station: null,
        provider,
        record: 'series',
        time: null,
        reason: `${count} ${count === 1 ? 'record belongs' : 'records belong'} to the station number ${station}, which does not exist`,
        outcome: discard ? 'removed' : null,
      })),
    );
    if (!discard) return [...survey.found.map(({ damaged }) => damaged), ...ownerless];
    for (const station of survey.ownerless.keys())
      for (const prefix of Object.values(forecastRecordsOf(station)))
        // oxlint-disable-next-line no-await-in-loop -- few records
        await this.#with.store.purge(prefix, Number.MAX_SAFE_INTEGER);
    return [...(await this.#discard(survey, signal)), ...ownerless];
  }

  async #survey(signal: AbortSignal | undefined): Promise<Survey> {
    const found: { readonly named: NamedRecord; readonly damaged: Omit<DamagedForecast, 'station'> }[] = [];
    const counts = new Map<number, Map<string | null, number>>();
    const firstIssues = new Map<string, number>();
    for await (const page of readRecords(this.#with.transfer, 'uploadRecord')) {
      signal?.throwIfAborted();
      for (const { name, text } of page as readonly { readonly name: string; readonly text: string }[]) {
        const named = forecastRecordNamed(name);
        if (named === undefined) continue;
        const { kind, station, provider, part } = named;
        const providers = counts.get(station) ?? new Map<string | null, number>();
        counts.set(station, providers.set(provider, (providers.get(provider) ?? 0) + 1));
        for (const { issued, reason } of faultsOf(named, text)) {
          const time = issued === undefined ? part || null : rfc3339(issued);
          found.push({ named, damaged: { provider, record: kind, time, reason, outcome: null } });
        }
        // Records are in the order of their names, so the first one has the first forecast.
        const [first] = kind === 'issued' && !firstIssues.has(keyOf(named)) ? readableLines(text, part) : [];
        if (first !== undefined) firstIssues.set(keyOf(named), issuedIn(first));
      }
    }
    // The stations are read after the records: a station that was added meanwhile has records that were not read.
    const stations = await this.#stations();
    return {
      found: found.flatMap(({ named, damaged }) => {
        const id = stations.get(named.station)?.id;
        return id === undefined ? [] : [{ named, damaged: { station: id, ...damaged } }];
      }),
      ownerless: new Map([...counts].filter(([number]) => !stations.has(number))),
      firstIssues,
    };
  }

  /** Stations by number, with those that can be restored. */
  async #stations(): Promise<ReadonlyMap<number, Station>> {
    const { stations } = this.#with;
    const hidden = (await stations.hidden()).map(({ station }) => station);
    return new Map([...(await stations.list()), ...hidden].map((station) => [station.number, station]));
  }

  async #discard({ found, firstIssues }: Survey, signal: AbortSignal | undefined) {
    for (const { named } of found) await this.#remove(named);
    const bySeries = new Map(found.map(({ named }) => [keyOf(named), named]));
    const stations = await this.#stations();
    const again = new Set<string>();
    for (const [key, { station: number, provider }] of bySeries) {
      signal?.throwIfAborted();
      const [station, first] = [stations.get(number), firstIssues.get(key)];
      if (station === undefined || provider === null || first === undefined) continue;
      const kinds = new Set(found.filter(({ named }) => keyOf(named) === key).map(({ named }) => named.kind));
      await this.#renew(station, { station: number, provider }, { kinds, first, signal });
      again.add(key);
    }
    const outcomes: DamagedForecast[] = [];
    for (const { named, damaged } of found) {
      const isThere = again.has(keyOf(named)) && (await this.#isThere(named));
      outcomes.push({ ...damaged, outcome: isThere ? 'computed again' : 'removed' });
    }
    return outcomes;
  }

  async #remove({ kind, station, provider, part }: NamedRecord): Promise<void> {
    const { records, orders } = this.#with;
    if (provider === null)
      return await (kind === 'order' ? orders.remove(station) : orders.removeState(station));
    const series = { station, provider };
    if (kind === 'issued') await records.removeDamaged(series, part);
    else if (kind === 'learned') await records.forgetLearned(series);
    else await records.remove(series, kind === 'scores' ? part : undefined);
  }

  /** Computes again what was removed. Damaged observations prevent it. */
  async #renew(
    station: Station,
    series: ForecastSeries,
    {
      kinds,
      first,
      signal,
    }: {
      readonly kinds: ReadonlySet<ForecastRecordKind>;
      readonly first: number;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<void> {
    const { clock, records, learn, score } = this.#with;
    if (kinds.has('first')) await records.putFirst(series, first);
    try {
      if (kinds.has('learned')) await learn.again(station, series, clock.now(), signal);
      if (kinds.has('learned') || kinds.has('scores'))
        await score.execute(station, series, { ...(signal && { signal }) });
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
    }
  }

  async #isThere({ kind, station, provider, part }: NamedRecord): Promise<boolean> {
    const { records } = this.#with;
    if (provider === null) return false;
    const series = { station, provider };
    if (kind === 'learned') return (await records.learned(series)).until > -Infinity;
    if (kind === 'scores') return (await records.monthScores(series, part)) !== undefined;
    return kind === 'first' && (await records.first(series)) !== undefined;
  }
}

/** A time without milliseconds if it has none, as replies have it. */
const rfc3339 = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
const keyOf = ({ station, provider }: Pick<NamedRecord, 'station' | 'provider'>) =>
  `${station} ${provider ?? ''}`;
