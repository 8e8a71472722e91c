import { MILLISECONDS } from '#domain/time.js';
import type { ApiClient, Newest, Reply } from '../api.js';

type ForecastReply = Reply<'/v1/stations/{id}/forecast', 'get'>;
type Columns = Readonly<Record<string, readonly (number | null)[]>>;

/** The variables that pages show of each station. */
const VARIABLES = [
  'air_temperature',
  'dew_point_temperature',
  'relative_humidity',
  'air_pressure_at_mean_sea_level',
  'wind_speed',
  'wind_from_direction',
  'wind_speed_of_gust',
  'precipitation_amount',
  'probability_of_precipitation',
];
/** The variables that pages show of a station that measures them. */
const MEASURED = [
  'surface_downwelling_shortwave_flux_in_air',
  'ultraviolet_index',
  'duration_of_sunshine',
  'cloud_area_fraction',
  'visibility_in_air',
];
/** Hours after the current time that pages show by the hour. */
export const SHOWN_HOURS = 48;
/** Age in milliseconds at which the API has no forecast any more. A page that is open drops its forecast at this age. */
const MAX_AGE = 2 * MILLISECONDS.day;

/** The forecast of a station from the current hour on, in metric units. */
export interface Forecast extends Pick<ForecastReply, 'station' | 'source' | 'corrected' | 'days'> {
  /** Time of issue, in ms since 1970. */
  readonly issued: number;
  /** In seconds since 1970. Amounts, chances and gusts are of the hour that ends at the time. */
  readonly times: readonly number[];
  readonly values: Columns;
  /** The bounds between which 8 of 10 outcomes are, of the variables that have them. */
  readonly p10: Columns;
  readonly p90: Columns;
}

/**
 * Reads the forecast of a station.
 *
 * @param issued `forecast_issued` of the newest values. Nothing is read if it is null or absent
 * @param latest the newest values of the station, whose names are the variables that it measures
 * @param now in ms since 1970
 * @throws WeatherdError
 */
export async function readForecast(
  api: ApiClient,
  id: string,
  issued: string | null | undefined,
  latest: Newest,
  now = Date.now(),
): Promise<Forecast | undefined> {
  if (typeof issued !== 'string') return undefined;
  const hours = SHOWN_HOURS + Math.ceil(Math.max(0, now - Date.parse(issued)) / MILLISECONDS.hour);
  const variables = [...VARIABLES, ...MEASURED.filter((name) => name in latest)].join(',');
  const query = { variables, hours };
  const reply = await api.get('/v1/stations/{id}/forecast', { path: { id }, query });
  const { station, source, corrected, days } = reply;
  const { time: times, ...values } = reply.forecast;
  const first = times.findIndex((time) => Date.parse(time) > now - MILLISECONDS.hour);
  const shown = (columns: Columns) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, first < 0 ? [] : column.slice(first)]),
    );
  return {
    station,
    source,
    corrected,
    days,
    issued: Date.parse(reply.issued),
    times: first < 0 ? [] : times.slice(first).map((time) => Date.parse(time) / MILLISECONDS.second),
    values: shown(values),
    p10: shown(reply.p10),
    p90: shown(reply.p90),
  };
}

/** The forecast if it is not too old to be shown. @param now in ms since 1970 */
export function shownForecast(forecast: Forecast | undefined, now: number): Forecast | undefined {
  return forecast !== undefined && now - forecast.issued < MAX_AGE ? forecast : undefined;
}

/** Whether values of the forecast are corrected with the errors of the past at the station. The temperature counts, if there is one. */
export function isCorrected({ corrected }: Pick<Forecast, 'corrected'>): boolean {
  return corrected['air_temperature'] ?? Object.values(corrected).includes(true);
}
