import { MILLISECONDS } from '../time.js';

/** What may be different in the past: where a station was, how high its sensors were and how often it reported. */
export interface StationConfiguration {
  /** As in `Station`, as are all fields. */
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

/** A configuration with the time in which it was or is in force. */
export interface StationPeriod extends StationConfiguration {
  /** Milliseconds since 1970-01-01T00:00:00Z; null for the first period. */
  readonly since: number | null;
  /** Not included; null for the present period. */
  readonly until: number | null;
}

/** A station with its history. */
interface Configured extends StationConfiguration {
  readonly earlier?: readonly EarlierPeriod[];
}

/** The periods of a station, oldest first. The last one is the present. */
export function periodsOf(station: Configured): StationPeriod[] {
  const periods: StationPeriod[] = [];
  let since: number | null = null;
  for (const earlier of station.earlier ?? []) {
    periods.push({ ...earlier, since });
    since = earlier.until;
  }
  return [...periods, { ...configurationOf(station), since, until: null }];
}

/** The station with the configuration that was in force at a time, in milliseconds since 1970-01-01T00:00:00Z. */
export function stationAt<T extends Configured>(station: T, time: number): T {
  const period = station.earlier?.find(({ until }) => time < until);
  if (period === undefined) return station;
  const { sensorHeights: _heights, ...rest } = station;
  return { ...rest, ...configurationOf(period) } as T;
}

/**
 * The parts of `[from, to)` in which one configuration was in force.
 *
 * @returns pairs of a part and the station as it was then, in order of time
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

/** The reporting interval that was in force at a time, in seconds; null if it is unknown. */
export function reportingIntervalAt(station: Configured, time: number): number | null {
  return (station.earlier?.find(({ until }) => time < until) ?? station).reportingInterval;
}

/** The reporting interval that was in force in all of `[from, to)`; undefined if there were several. */
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

/** The number of reports in `[from, to)` by the reporting intervals that were in force; null if one is unknown. */
export function expectedReports(station: Configured, from: number, to: number): number | null {
  let expected = 0;
  for (const [begin, end, { reportingInterval }] of configuredParts(station, from, to)) {
    if (reportingInterval === null) return null;
    expected += (end - begin) / MILLISECONDS.second / reportingInterval;
  }
  return Math.round(expected);
}

/**
 * A station whose configuration changes at a time. The new configuration is in force until the next period begins. If a
 * period begins at this time, its configuration is replaced.
 *
 *     before               A ............| B ......................| C (present)
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
  const { sensorHeights: _heights, ...rest } = next;
  const inserted = { ...configurationOf(next), until };
  const present: Configured = {
    ...rest,
    ...configurationOf(known),
    earlier: [...before, inserted, ...earlier.slice(index + 1)],
  };
  return present as T;
}

function configurationOf(station: StationConfiguration): StationConfiguration {
  const { latitude, longitude, elevation, reportingInterval, sensorHeights } = station;
  return { latitude, longitude, elevation, reportingInterval, ...(sensorHeights && { sensorHeights }) };
}
