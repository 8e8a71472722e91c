import { z } from 'zod';
import type { ForecastProvider } from '#application/ports/forecast-provider.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { hoursIn, numberIn } from './columns.js';
import { addressBelow, type ProviderSettings, userAgentOf } from './provider-settings.js';
import { codeOfSymbol } from './symbol-code.js';

const TITLE = 'MET Norway';
const SERVICE = 'https://api.met.no';
const PATH = '/weatherapi/locationforecast/2.0/complete';

/** Statuses with a meaning of their own at this service. */
const [DEPRECATED, REFUSED] = [203, 403];
const REFUSAL = `${TITLE} refuses the requests of this service (403). Check that WEATHERD_FORECAST_CONTACT is an address at which you can be reached, and set WEATHERD_FORECAST_DECIMALS to at most 4.`;
const DEPRECATION = `${TITLE} will end this version of its service (203). Update weatherd.`;

/** The name of each variable of an instant. */
const INSTANTS: readonly (readonly [number: number, name: string])[] = [
  [F.temperature, 'air_temperature'],
  [F.dewPoint, 'dew_point_temperature'],
  [F.humidity, 'relative_humidity'],
  [F.pressure, 'air_pressure_at_sea_level'],
  [F.wind, 'wind_speed'],
  [F.windDirection, 'wind_from_direction'],
  [F.gust, 'wind_speed_of_gust'],
  [F.clouds, 'cloud_area_fraction'],
  [F.ultravioletIndex, 'ultraviolet_index_clear_sky'],
];
/** The name of each variable of the time after an instant, and its numbers for one hour and for six. */
const PERIODS: readonly (readonly [name: string, ofHour: number, of6Hours: number])[] = [
  ['precipitation_amount', F.rain, F.rainOf6Hours],
  ['probability_of_precipitation', F.rainChance, F.rainChanceOf6Hours],
];

const period = z
  .object({
    summary: z.object({ symbol_code: z.string() }).partial().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .optional();
const reply = z.object({
  properties: z.object({
    timeseries: z
      .array(
        z.object({
          time: z.string(),
          data: z.object({
            instant: z.object({ details: z.record(z.string(), z.unknown()) }),
            next_1_hours: period,
            next_6_hours: period,
          }),
        }),
      )
      .min(1),
  }),
});
type Step = z.infer<typeof reply>['properties']['timeseries'][number];

/** The Locationforecast of MET Norway, hourly for two to three days and then every six hours. Licence of the data: CC BY 4.0 and NLOD. */
export function metNorway(settings: ProviderSettings): ForecastProvider {
  return {
    name: 'met-norway',
    title: TITLE,
    model: 'locationforecast',
    attribution: { text: 'Data from MET Norway', url: 'https://api.met.no/' },
    reach: settings.metNorwayUrl === undefined ? 'public' : 'any',
    shortestInterval: 15 * 60,
    ...(settings.contact === undefined && {
      fault: `${TITLE} answers only if it knows whom to write to. Set WEATHERD_FORECAST_CONTACT to an e-mail address or the address of a page.`,
    }),
    async ask({ latitude, longitude, elevation }, exchange) {
      const url = addressBelow(settings.metNorwayUrl ?? SERVICE, PATH);
      url.searchParams.set('lat', String(latitude));
      url.searchParams.set('lon', String(longitude));
      if (elevation !== null) url.searchParams.set('altitude', String(elevation));
      const answer = await exchange.fetch({
        url: url.href,
        headers: { 'user-agent': userAgentOf(settings) },
        accepts: [REFUSED],
      });
      if (answer.status === REFUSED) throw new SourceFailure(REFUSAL, { needsOwner: true });
      const parsed = reply.safeParse(answer.json());
      if (!parsed.success) throw new SourceFailure(`The reply of ${TITLE} is not a forecast.`);
      const forecast = forecastOf(parsed.data.properties.timeseries);
      return answer.status === DEPRECATED ? { ...forecast, warning: DEPRECATION } : forecast;
    },
  };
}

function forecastOf(steps: readonly Step[]) {
  const times = hoursIn(
    steps.map(({ time }) => Date.parse(time)),
    TITLE,
  );
  const values = new Map<number, Float64Array>();
  const put = (number: number, index: number, value: number) => {
    const column = values.get(number) ?? new Float64Array(times.length).fill(Number.NaN);
    if (index < times.length) column[index] = value;
    values.set(number, column);
  };
  for (const [index, { data }] of steps.entries()) {
    for (const [number, name] of INSTANTS) put(number, index, numberIn(data.instant.details[name]));
    // The provider gives amounts of the time after a step. A forecast has them at its end.
    const hours = ((times[index + 1] ?? Number.NaN) - (times[index] as number)) / MILLISECONDS.hour;
    const next = hours === 1 ? data.next_1_hours : hours === 6 ? data.next_6_hours : undefined;
    for (const [name, ofHour, of6Hours] of PERIODS)
      put(hours === 1 ? ofHour : of6Hours, index + 1, numberIn(next?.details?.[name]));
    put(F.weatherCode, index + 1, codeOfSymbol(next?.summary?.symbol_code));
  }
  if (values.get(F.temperature)?.every(Number.isNaN) !== false)
    throw new SourceFailure(`The reply of ${TITLE} has no temperatures.`);
  return { times, values: new Map([...values].filter(([, column]) => !column.every(Number.isNaN))) };
}
