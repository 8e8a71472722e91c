import type { LatestPage } from '#application/observations/read/list-latest.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { metricHead, metricOf, OPENMETRICS_END, sample } from '#adapters/formats/openmetrics/metric.js';

/** A value is left out when it is older than this number of reporting intervals of its station, */
const MAX_INTERVALS = 3;
/** but not before this time, because data may arrive late, */
const MIN_AGE = 10 * MILLISECONDS.minute;
/** and after this time if the interval is unknown. Many stations report every hour. */
const DEFAULT_AGE = 3 * MILLISECONDS.hour;

const METRICS = VARIABLES.map((variable) => ({ number: variable.number, metric: metricOf(variable) }));

const STATION_INFO = { name: 'weather_station_info', unit: undefined, help: 'Names of a station.' };
const LAST_SEEN = {
  name: 'weather_observation_timestamp_seconds',
  unit: 'seconds',
  help: 'Time of the newest observation.',
};

/**
 * The reply to `GET /v1/observations/latest?format=openmetrics`. All stations of a metric follow each other, as the format
 * demands. Values that did not pass quality control and old values are left out: then a series ends in Prometheus, as it does
 * when the target is gone. Samples have no time, because Prometheus refuses late samples, and does not end a series whose
 * samples have times.
 */
export function* latestMetrics({ stations }: Pick<LatestPage, 'stations'>): Generator<string> {
  for (const { number, metric } of METRICS) {
    let head = metricHead(metric);
    for (const { station, newest, asOf } of stations) {
      const value = newest.values.get(number);
      if (value === undefined || value.flags !== 0 || asOf - value.time > oldest(station)) continue;
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

/** The age after which a value of a station is left out, in milliseconds. */
function oldest({ reportingInterval }: Station): number {
  return reportingInterval === null
    ? DEFAULT_AGE
    : Math.max(MIN_AGE, MAX_INTERVALS * reportingInterval * 1000);
}
