import type { Caller } from '#domain/accounts/audit-event.js';
import { periodsOf, type StationPeriod } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import {
  canHaveLongerIntervals,
  type LongerInterval,
  LongerIntervals,
} from '#domain/weather/summaries/longer-intervals.js';
import type { RoutineDistances } from '#domain/weather/summaries/routine-interval.js';
import type { Calendar } from '../../ports/calendar.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { ChangeStations, StationRequest } from '../../stations/change-stations.js';

/** Largest number of periods in the history of a station. All lists of stations contain the histories. */
const MAX_PERIODS = 100;

/** The times of the imported rows of a station. */
export interface ImportedTimesOfStation {
  /** Times of the first and the last row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly first: number;
  readonly last: number;
  /** Seconds between routine reports as the file, its format or the person who imports it names them; undefined if unknown. */
  readonly named: number | undefined;
  /** The distances between the rows. */
  readonly distances: RoutineDistances;
}

/** A longer reporting interval that the history of a station has now. */
export interface EarlierInterval extends LongerInterval {
  /** Id of the station. */
  readonly id: string;
  readonly timeZone: string;
  /** The reporting interval that the history had for this time, in seconds. */
  readonly before: number;
}

/**
 * Adds longer reporting intervals to the histories of stations, after an import of rows that are farther apart than the stations
 * report now: an hourly archive of a station that reports every 10 minutes. Without them the days of the archive would count as
 * incomplete. The present interval does not change. Stored rows decide (see `LongerIntervals`), because the station may have its
 * own rows in the same time.
 *
 * Shorter intervals are not added. More reports than a station says it sends are additional reports, and a day with them is complete.
 */
export class SetLongerIntervals {
  readonly #clock: Clock;
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #stations: ChangeStations;

  constructor(clock: Clock, calendar: Calendar, observations: ObservationStore, stations: ChangeStations) {
    this.#clock = clock;
    this.#calendar = calendar;
    this.#observations = observations;
    this.#stations = stations;
  }

  /**
   * @param imported the imported rows by the id of their station. Unknown and damaged stations are ignored
   * @returns what was added to the histories
   */
  async execute(
    imported: ReadonlyMap<string, ImportedTimesOfStation>,
    caller: Caller,
  ): Promise<readonly EarlierInterval[]> {
    const added: EarlierInterval[] = [];
    for (const [id, range] of imported) {
      // One station after the other, because each may have millions of rows.
      // oxlint-disable-next-line no-await-in-loop
      added.push(...(await this.#setOf(id, range, caller)));
    }
    return added;
  }

  async #setOf(
    id: string,
    { first, last, named, distances }: ImportedTimesOfStation,
    caller: Caller,
  ): Promise<readonly EarlierInterval[]> {
    // An import every few minutes has few rows. Then no station is read.
    if (!canHaveLongerIntervals(distances, 0)) return [];
    const described = await this.#observations.describe(id);
    if (described === undefined) return [];
    const { station, inventory } = described;
    const { first: oldest, last: newest } = inventory;
    const isDamaged = station.damaged !== undefined || inventory.damaged !== undefined;
    if (isDamaged || inventory.isUnknown === true || oldest === null || newest === null) return [];
    const added: EarlierInterval[] = [];
    const edits: StationRequest[] = [];
    for (const periods of groupsOf(periodsOf(station))) {
      const [since, until] = [periods[0]?.since ?? -Infinity, periods.at(-1)?.until ?? Infinity];
      const before = periods[0]?.reportingInterval ?? null;
      const from = Math.max(first, oldest, since);
      const to = Math.min(last + 1, newest + 1, until);
      // Most files have the distances that their stations say. Then no rows are read.
      if (before === null || from >= to || !canHaveLongerIntervals(distances, before)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one group after the other, as in `execute`
      const found = await this.#find(station, { from, to }, before, named);
      // Whole days may begin before the periods and end after them, and today ends in the future, for which no history exists.
      const whole = { since, until: Math.min(until, this.#clock.now()) };
      added.push(...within(found, whole).map((one) => ({ ...one, id, timeZone: station.timeZone, before })));
      for (const period of periods) edits.push(...editsOf(id, within(added, period), period, before));
    }
    if ((station.earlier?.length ?? 0) + edits.length > MAX_PERIODS) return [];
    // One by one, so that the audit trail has an event with the station and the time of each change. The first of two changes only
    // divides a period, so a failure between them has no effect.
    // oxlint-disable-next-line no-await-in-loop
    for (const edit of edits) await this.#stations.execute([edit], caller);
    return added;
  }

  async #find(
    { number, timeZone }: Station,
    { from, to }: { readonly from: number; readonly to: number },
    before: number,
    named: number | undefined,
  ): Promise<readonly LongerInterval[]> {
    const days = this.#calendar.buckets('day', timeZone, 0, from, to);
    const intervals = new LongerIntervals(days, before, named);
    for await (const rows of this.#observations.read({ stations: [number], from, to })) intervals.add(rows);
    return intervals.found();
  }
}

/** Groups of successive periods with the same reporting interval. */
function groupsOf(periods: readonly StationPeriod[]): StationPeriod[][] {
  const groups: StationPeriod[][] = [];
  for (const period of periods) {
    const last = groups.at(-1);
    if (last?.[0]?.reportingInterval === period.reportingInterval) last?.push(period);
    else groups.push([period]);
  }
  return groups;
}

/** The parts of intervals that are within a period. */
function within<T extends LongerInterval>(
  intervals: readonly T[],
  { since, until }: Pick<StationPeriod, 'since' | 'until'>,
): T[] {
  return intervals
    .map((one) => ({
      ...one,
      from: Math.max(one.from, since ?? -Infinity),
      to: Math.min(one.to, until ?? Infinity),
    }))
    .filter(({ from, to }) => from < to);
}

/** The edits that add intervals to a period of a station. The last interval is added first, so that each edit divides the same period. */
function editsOf(
  id: string,
  found: readonly LongerInterval[],
  { until }: StationPeriod,
  before: number,
): StationRequest[] {
  const edits: StationRequest[] = [];
  let next = until;
  for (const { from, to, seconds } of found.toReversed()) {
    if (to !== next) edits.push({ id, since: to, change: { reportingInterval: before } });
    edits.push({ id, since: from, change: { reportingInterval: seconds } });
    next = from;
  }
  return edits;
}
