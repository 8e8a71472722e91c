import { MILLISECONDS } from '../time.js';

/** The fields of `Station` that have a history: position, heights of sensors, reporting interval and time of observation. */
export interface StationConfiguration {
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation: number | null;
  readonly reportingInterval: number | null;
  readonly sensorHeights?: Readonly<Record<string, number>>;
  readonly dailyObservationTime?: string | null;
}

/** An earlier configuration of a station. */
export interface EarlierPeriod extends StationConfiguration {
  /** End of the period, not included, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly until: number;
}

/** A configuration with the period in which it applies. */
export interface StationPeriod extends StationConfiguration {
  /** Start of the period, in milliseconds since 1970-01-01T00:00:00Z; null for the first period. */
  readonly since: number | null;
  /** End of the period, not included; null for the current period. */
  readonly until: number | null;
}

/** A station with its history. */
interface Configured extends StationConfiguration {
  readonly earlier?: readonly EarlierPeriod[];
}

/** The periods of a station, oldest first. The last period is the current one. */
export function periodsOf(station: Configured): StationPeriod[] {
  const periods: StationPeriod[] = [];
  let since: number | null = null;
  for (const earlier of station.earlier ?? []) {
    periods.push({ ...earlier, since });
    since = earlier.until;
  }
  return [...periods, { ...configurationOf(station), since, until: null }];
}

/** The station with its configuration at a time. @param time milliseconds since 1970-01-01T00:00:00Z */
export function stationAt<T extends Configured>(station: T, time: number): T {
  const period = station.earlier?.find(({ until }) => time < until);
  return period === undefined ? station : configured(station, period);
}

/**
 * Divides `[from, to)` into parts with a single configuration.
 *
 * @returns the bounds of each part, and the station with its configuration in this part, in order of time
 */
export function* configuredParts<T extends Configured>(
  station: T,
  from: number,
  to: number,
): Generator<readonly [from: number, to: number, station: T]> {
  let begin = from;
  for (const until of [...(station.earlier ?? []).map(({ until: end }) => end), Infinity]) {
    const end = Math.min(to, until);
    if (end <= begin) continue;
    yield [begin, end, stationAt(station, begin)];
    begin = end;
  }
}

/** The reporting interval of a station at a time, in seconds; null if it is unknown. */
export function reportingIntervalAt(
  station: Pick<Configured, 'reportingInterval' | 'earlier'>,
  time: number,
): number | null {
  return (station.earlier?.find(({ until }) => time < until) ?? station).reportingInterval;
}

/**
 * The reporting interval of a station in `[from, to)`, in seconds; null if the interval is unknown; undefined if it
 * changed in this time.
 */
export function reportingIntervalIn(
  station: Configured,
  from: number,
  to: number,
): number | null | undefined {
  const first = reportingIntervalAt(station, from);
  for (const [, , { reportingInterval }] of configuredParts(station, from, to))
    if (reportingInterval !== first) return undefined;
  return first;
}

/** The number of reports in `[from, to)` by the reporting intervals of the station; null if an interval is unknown. */
export function expectedReports(station: Configured, from: number, to: number): number | null {
  let expected = 0;
  for (const [begin, end, { reportingInterval }] of configuredParts(station, from, to)) {
    if (reportingInterval === null) return null;
    expected += (end - begin) / MILLISECONDS.second / reportingInterval;
  }
  return Math.round(expected);
}

/**
 * Changes the configuration of a station from a time on. The new configuration applies until the next period begins. If a period
 * begins at this time, its configuration is replaced. Example with the configurations A, B and C, and the new configuration D:
 *
 *     before               A ............| B ......................| C (current)
 *     D from within B on   A ............| B ........| D ..........| C
 *     D from within C on   A ............| B ......................| C ....| D
 *
 * @param known the station before the change
 * @param next the station with the new configuration
 */
export function changedSince<T extends Configured>(known: Configured, next: T, since: number): T {
  const { earlier = [] } = known;
  const later = earlier.findIndex(({ until }) => since < until);
  const index = later === -1 ? earlier.length : later;
  const { since: begin, until, ...replaced } = periodsOf(known)[index] as StationPeriod;
  const before = earlier.slice(0, index);
  if ((begin ?? -Infinity) < since) before.push({ ...replaced, until: since });
  if (until === null) return { ...next, earlier: before };
  const inserted = { ...configurationOf(next), until };
  return { ...configured(next, known), earlier: [...before, inserted, ...earlier.slice(index + 1)] };
}

/** A time in which the daily values of a station were read at one time of day. */
export interface ObservedTimes {
  /** Start and end (not included), in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly until: number;
  /** See `Station.dailyObservationTime`. */
  readonly dailyObservationTime: string;
}

/**
 * Sets the time of observation in the parts of the history that have none. Other parts do not change, because a person may have set
 * their time.
 *
 * @param observed in order of time, without overlap
 * @returns the station itself if nothing changes
 */
export function withObservationTimes<T extends Configured>(
  station: T,
  observed: readonly ObservedTimes[],
): T {
  const periods: StationPeriod[] = [];
  let isChanged = false;
  for (const period of periodsOf(station)) {
    let begin = period.since;
    for (const { from, until, dailyObservationTime } of typeof period.dailyObservationTime === 'string'
      ? []
      : observed) {
      const start = Math.max(from, begin ?? -Infinity);
      const end = Math.min(until, period.until ?? Infinity);
      if (end <= start) continue;
      isChanged = true;
      if (start > (begin ?? -Infinity)) periods.push({ ...period, since: begin, until: start });
      periods.push({ ...period, dailyObservationTime, since: start, until: end });
      begin = end;
    }
    if (begin !== period.until || begin === null) periods.push({ ...period, since: begin });
  }
  return isChanged ? withPeriods(station, periods) : station;
}

/** The distinct times of observation in `[from, to)`, in order of time; null stands for an unknown time. */
export function observationTimesIn(station: Configured, from: number, to: number): (string | null)[] {
  const times = periodsOf(station)
    .filter(({ since, until }) => (since ?? -Infinity) < to && (until ?? Infinity) > from)
    .map(({ dailyObservationTime = null }) => dailyObservationTime);
  return [...new Set(times)];
}

/** The station without times of observation. Periods that differ only in this time become one period. */
export function withoutObservationTimes<T extends Configured>(station: T): T {
  const periods = periodsOf(station).map(({ dailyObservationTime: _time, ...period }) => period);
  return withPeriods(station, periods);
}

/** Replaces the periods of a station. Neighboring periods with the same configuration become one period. */
function withPeriods<T extends Configured>(station: T, periods: readonly StationPeriod[]): T {
  const textOf = (period: StationConfiguration) => JSON.stringify(configurationOf(period));
  const kept = periods.filter((period, index) => {
    const next = periods[index + 1];
    return next === undefined || textOf(period) !== textOf(next);
  });
  const { earlier: _earlier, ...others } = configured(station, kept.at(-1) as StationPeriod);
  const earlier = kept
    .slice(0, -1)
    .map((period) => ({ ...configurationOf(period), until: period.until as number }));
  return { ...others, ...(earlier.length > 0 && { earlier }) } as unknown as T;
}

/** The station with another configuration. */
function configured<T extends Configured>(station: T, configuration: StationConfiguration): T {
  const { sensorHeights: _heights, dailyObservationTime: _time, ...others } = station;
  return { ...others, ...configurationOf(configuration) } as T;
}

function configurationOf(station: StationConfiguration): StationConfiguration {
  const { latitude, longitude, elevation, reportingInterval, sensorHeights, dailyObservationTime } = station;
  return {
    latitude,
    longitude,
    elevation,
    reportingInterval,
    ...(sensorHeights && { sensorHeights }),
    ...(typeof dailyObservationTime === 'string' && { dailyObservationTime }),
  };
}
