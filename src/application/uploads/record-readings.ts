import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { advanceSource, type SourceAdvance } from '#domain/uploads/source-state.js';
import type { Reading } from '#domain/uploads/upload.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { Station } from '#domain/weather/station.js';
import { KeyedQueue } from '../keyed-queue.js';
import type { RowCounts } from '../observations/row-counts.js';
import type { RecordTogether } from '../observations/ingest/record-together.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import type { RecordStore } from '../ports/record-store.js';
import type { Directory, StationDirectory } from '../stations/station-directory.js';
import type { NewestTimes } from './newest-times.js';
import { RainSenders } from './rain-senders.js';
import type { ReadingsOutcome, SourceReadings } from './source-readings.js';
import type { KnownState, SourceStates } from './source-states.js';

/** Maximum number of attempts to write while another instance changes the counters of the same source. */
const MAX_ATTEMPTS = 5;
/**
 * Time before and after local midnight, in milliseconds, in which a counter may be reset. The time is long, because the clocks of
 * consoles are often wrong.
 */
const NEAR_MIDNIGHT = 2 * MILLISECONDS.hour;
const RAIN = 'precipitation_amount';

export interface RecordReadingsDependencies {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly directory: StationDirectory;
  readonly store: RecordStore;
  readonly states: SourceStates;
  readonly newest: NewestTimes;
  readonly together: RecordTogether;
  readonly counts: RowCounts;
}

/**
 * Stores readings of devices as rows of stations. For rain counters and other counters, the increase since the previous reading
 * is stored.
 */
export class RecordReadings {
  readonly #with: RecordReadingsDependencies;
  readonly #queue = new KeyedQueue();
  readonly #rainSenders = new RainSenders();

  constructor(dependencies: RecordReadingsDependencies) {
    this.#with = dependencies;
  }

  /**
   * Stores readings. The readings of one source (device) are stored one after the other. The new values of its counters, from
   * which the next increase is computed, are stored in the same transaction as the rows. So no failure can lose rain or count it
   * twice.
   *
   * @param known the stations, if the caller has just read them
   * @throws DomainError STORE_UNAVAILABLE; REQUEST_INVALID for a reading of an unknown variable or in an unknown unit
   */
  execute(readings: SourceReadings, known?: Directory): Promise<ReadingsOutcome> {
    const { directory, states } = this.#with;
    return this.#queue.run(readings.source, async () => {
      try {
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
          const stations = (attempt === 0 ? known : undefined) ?? (await directory.current());
          const outcome = await this.#attempt(readings, stations);
          if (outcome !== undefined) return outcome;
          states.forget(readings.source);
        }
      } catch (error) {
        // After a failure it is unknown whether the store has written the new state of the counters. So the cached state is
        // dropped, and the next attempt reads the state from the store.
        states.forget(readings.source);
        throw error;
      }
      throw new DomainError(
        'STORE_UNAVAILABLE',
        'Other instances changed the counters of this source at every attempt. Try again.',
      );
    });
  }

  /** @returns undefined if another instance has changed the stored state of the counters since this process read it */
  async #attempt(readings: SourceReadings, directory: Directory): Promise<ReadingsOutcome | undefined> {
    const { newest, states } = this.#with;
    const { source, time, rain, isReceiveTime } = readings;
    const ids = new Set([...readings.stations.keys(), ...(rain === undefined ? [] : [rain.station])]);
    const stations = [...ids].flatMap((id) => directory.byId.get(id) ?? []);
    const numbers = stations.map(({ number }) => number);
    if (isReceiveTime && (await newest.latestOf(numbers)) > time)
      return refused(
        'The station has a newer value: the clock of the service is behind, or the clock of another sender is ahead.',
      );
    const before = await states.of(source);
    const advance = this.#advance(readings, before, stations);
    const parts = stations.flatMap(({ id }) => rowOf(id, readings, advance));
    const kind = await this.#write(readings, parts, before, advance, directory);
    if (kind === 'outdated') return undefined;
    if (kind === 'ahead') return refused('The time is more than ten minutes in the future.');
    if (kind === 'stored') newest.wrote(numbers, time);
    const otherRain = kind === 'stored' ? this.#otherRain(source, parts) : [];
    return {
      kind,
      ...(advance.gauge !== undefined && { gauge: advance.gauge }),
      ...(advance.rain !== undefined && { rain: advance.rain }),
      reports: advance.reports,
      ...(otherRain.length > 0 && { otherRain }),
      unknown: [...ids].filter((id) => !directory.byId.has(id)),
    };
  }

  /** The other sources that recently stored rain of the stations of this upload. */
  #otherRain(source: string, parts: readonly SentRows[]): readonly string[] {
    const now = this.#with.clock.uptime();
    return parts.flatMap(({ stations, columns }) => {
      const amount = columns.find(({ variable }) => variable === RAIN)?.values[0] ?? 0;
      return amount > 0 && typeof stations === 'string' ? this.#rainSenders.note(stations, source, now) : [];
    });
  }

  #advance(readings: SourceReadings, { state }: KnownState, stations: readonly Station[]): SourceAdvance {
    const { time, runtime, rain } = readings;
    const { timeZone = 'UTC', damaged = [] } =
      stations.find(({ id }) => id === rain?.station) ?? stations[0] ?? {};
    const counters = [...readings.stations].flatMap(([station, list]) =>
      list.filter((reading) => reading.counter === true).map((reading) => [station, reading] as const),
    );
    return advanceSource(state, {
      time,
      runtime,
      rain: rain?.counters ?? [],
      gauge: rain?.gauge ?? null,
      counters,
      isNearMidnight: () => {
        if (damaged.some(({ field }) => field === 'timeZone')) return true;
        const dateOf = (at: number) => this.#with.calendar.format(at, timeZone).slice(0, 10);
        return dateOf((state?.time ?? time) - NEAR_MIDNIGHT) !== dateOf(time + NEAR_MIDNIGHT);
      },
    });
  }

  async #write(
    { source, key, origin }: SourceReadings,
    parts: readonly SentRows[],
    before: KnownState,
    { state }: SourceAdvance,
    directory: Directory,
  ): Promise<'stored' | 'unchanged' | 'outdated' | 'ahead'> {
    const { clock, store, states, together, counts: rows } = this.#with;
    const now = clock.now();
    // The list of sources shows the time of the state. The transaction of a row stores it without a further commit.
    const isShown = origin === 'sources' && parts.length > 0;
    const counts = state !== before.state && (isShown || Object.keys(state.gauges).length > 0);
    const records = counts ? [states.recordOf(source, key, before, state, now)] : [];
    const wrote = () => {
      if (counts) states.wrote(source, before, state);
    };
    if (parts.length === 0) {
      if (counts && (await store.put(records)).length > 0) return 'outdated';
      wrote();
      return 'unchanged';
    }
    const outcome = await together.execute(parts, records, directory, now);
    if (outcome.isOutdated) return 'outdated';
    rows.add(origin ?? (key === null ? 'mqtt' : 'uploads'), {
      ...outcome,
      rejected: outcome.rejections.length,
    });
    // A row may be rejected because of its time, for example because the time is in the future. All rows of an upload have the
    // same time. So in this case neither a row nor the state of a counter was written.
    if (outcome.rejections.some(({ reason }) => reason === 'time')) return 'ahead';
    wrote();
    return outcome.inserted + outcome.updated > 0 ? 'stored' : 'unchanged';
  }
}

/**
 * Returns the row of a station, in a list; an empty list if the station has no value. If rain computed from the counters is
 * stored at this station, this rain replaces an amount of rain that the upload contains as a value.
 */
function rowOf(id: string, readings: SourceReadings, advance: SourceAdvance): SentRows[] {
  const { time, isReceiveTime, isEnd = false, stations, rain } = readings;
  const values = new Map<string, Reading>();
  const plain = (stations.get(id) ?? []).filter((reading) => reading.counter !== true);
  const increases = advance.increases.filter(([station]) => station === id).map(([, reading]) => reading);
  for (const reading of [...plain, ...increases]) values.set(reading.variable, reading);
  if (rain?.station === id && rain.isLeftOut !== true && advance.rain !== undefined)
    values.set(RAIN, { field: RAIN, variable: RAIN, value: advance.rain });
  if (values.size === 0) return [];
  const columns = [...values.values()].map(({ variable, unit, value }) => ({
    variable,
    unit,
    values: Float64Array.of(value),
  }));
  return [{ stations: id, times: Float64Array.of(time), atIntervalEnd: isReceiveTime || isEnd, columns }];
}

function refused(detail: string): ReadingsOutcome {
  return { kind: 'refused', reason: 'time', detail };
}
