import { MILLISECONDS } from '../time.js';

/** The fields of `Station` that have a history: position, heights of sensors and reporting interval. */
export interface StationConfiguration {
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation: number | null;
  readonly reportingInterval: number | null;
  readonly sensorHeights?: Readonly<Record<string, number>>;
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
  if (period === undefined) return station;
  const { sensorHeights: _heights, ...others } = station;
  return { ...others, ...configurationOf(period) } as T;
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
  for (const { until } of periodsOf(station)) {
    const end = Math.min(to, until ?? Infinity);
    if (end <= begin) continue;
    yield [begin, end, stationAt(station, begin)];
    begin = end;
  }
}

/** The reporting interval of a station at a time, in seconds; null if it is unknown. */
export function reportingIntervalAt(station: Configured, time: number): number | null {
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
  const { sensorHeights: _heights, ...others } = next;
  const inserted = { ...configurationOf(next), until };
  const current: Configured = {
    ...others,
    ...configurationOf(known),
    earlier: [...before, inserted, ...earlier.slice(index + 1)],
  };
  return current as T;
}

function configurationOf(station: StationConfiguration): StationConfiguration {
  const { latitude, longitude, elevation, reportingInterval, sensorHeights } = station;
  return { latitude, longitude, elevation, reportingInterval, ...(sensorHeights && { sensorHeights }) };
}
