import type { LatestPage } from '#application/observations/read/list-latest.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { metricHead, metricOf, OPENMETRICS_END, sample } from '#adapters/formats/openmetrics/metric.js';

/** Largest age of a value in the reply, as a multiple of the reporting interval of its station. Older values are left out. */
const MAX_INTERVALS = 3;
/**
 * Smallest age limit of a value, in milliseconds. This limit applies to stations with a short reporting interval, because data
 * may arrive late.
 */
const MIN_AGE = 10 * MILLISECONDS.minute;
/** Largest age of a value if the reporting interval of its station is unknown, in milliseconds. Many stations report every hour. */
const DEFAULT_AGE = 3 * MILLISECONDS.hour;

const METRICS = VARIABLES.map((variable) => ({ number: variable.number, metric: metricOf(variable) }));

const STATION_INFO = { name: 'weather_station_info', unit: undefined, help: 'Names of a station.' };
const LAST_SEEN = {
  name: 'weather_observation_timestamp_seconds',
  unit: 'seconds',
  help: 'Time of the newest observation.',
};

/**
 * Writes the reply to `GET /v1/observations/latest?format=openmetrics`. The samples of a metric are consecutive, as the format
 * requires.
 *
 * Old values and values that did not pass quality control are left out. Prometheus then ends the series of the value, as for a
 * target that has disappeared.
 *
 * Samples have no time, for two reasons: Prometheus refuses samples with a late time, and it does not end a series whose samples
 * have times.
 */
export function* latestMetrics({ stations }: Pick<LatestPage, 'stations'>): Generator<string> {
  for (const { number, metric } of METRICS) {
    let head = metricHead(metric);
    for (const { station, newest, asOf } of stations) {
      const value = newest.values.get(number);
      if (value === undefined || value.flags !== 0 || asOf - value.time > maxAgeOf(station)) continue;
      yield `${head}${sample(metric.name, { station: station.id }, metric.convert(value.value))}`;
      head = '';
    }
  }
  if (stations.length > 0) yield metricHead(STATION_INFO);
  for (const { station } of stations)
    yield sample(STATION_INFO.name, { station: station.id, name: station.name }, 1);
  let head = metricHead(LAST_SEEN);
  for (const { station, newest } of stations) {
    if (newest.lastSeen === null) continue;
    yield `${head}${sample(LAST_SEEN.name, { station: station.id }, newest.lastSeen / 1000)}`;
    head = '';
  }
  yield OPENMETRICS_END;
}

/** Largest age of a value of a station, in milliseconds. */
function maxAgeOf({ reportingInterval }: Station): number {
  return reportingInterval === null
    ? DEFAULT_AGE
    : Math.max(MIN_AGE, MAX_INTERVALS * reportingInterval * 1000);
}
