import type { ColumnPlan, CounterReset } from '../files/file-plan.js';
import { splitHeading } from '../files/unit-names.js';
import type { ImportFormat } from './import-format.js';

/** What a heading is, by its name without the unit, in lower case: English and German. */
const VARIABLES: Readonly<Record<string, string>> = {
  'outdoor temperature': 'air_temperature',
  'temperatur aussen': 'air_temperature',
  'outdoor humidity': 'relative_humidity',
  'luftfeuchtigkeit aussen': 'relative_humidity',
  'dew point': 'dew_point_temperature',
  taupunkt: 'dew_point_temperature',
  wind: 'wind_speed',
  gust: 'wind_speed_of_gust',
  böe: 'wind_speed_of_gust',
  'wind direction': 'wind_from_direction',
  windrichtung: 'wind_from_direction',
  'abs pressure': 'surface_air_pressure',
  'abs. luftdruck': 'surface_air_pressure',
  'rel pressure': 'air_pressure_at_mean_sea_level',
  'rel. luftdruck': 'air_pressure_at_mean_sea_level',
  'solar rad.': 'surface_downwelling_shortwave_flux_in_air',
  sonneneinstrahlung: 'surface_downwelling_shortwave_flux_in_air',
  uvi: 'ultraviolet_index',
  'rain rate': 'rainfall_rate',
  'pm2.5': 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
};
/** Units of quantities whose headings have none. */
const UNITS: Readonly<Record<string, string>> = { ultraviolet_index: '1' };

/** Running totals of the bucket, the one that resets most rarely first. */
const COUNTERS: readonly (readonly [names: RegExp, resets: CounterReset])[] = [
  [/^(?:yearly rain|regen\/jahre?)$/, 'year'],
  [/^(?:monthly rain|regen\/monat)$/, 'month'],
  [/^(?:daily rain|regen\/tag)$/, 'day'],
];

const REASONS: readonly (readonly [names: RegExp, reason: string])[] = [
  [/^(?:indoor |.* innen$)/, 'indoor'],
  [/^(?:hourly rain|regen\/stunde)$/, 'a rolling sum of the last 60 minutes'],
  [
    /^(?:event|daily|weekly|monthly) rain$|^regen(?: event|\/(?:tag|wochen?|monat))$/,
    'another total of the same rain',
  ],
  [/^piezo /, 'of a second rain gauge'],
  [/^(?:ch\d+ |temperatur$|taupunkt$|luftfeuchtigkeit$)/, 'of an extra sensor'],
  [/^timestamp$/, 'the same time again'],
  [/^(?:feels like|gefühlte temperatur|vpd|bgt|wbgt)$/, 'derived from other values'],
];

/**
 * Exports of consoles and gateways of Ecowitt (Fine Offset) to their memory cards: a file for each month and each set of
 * columns. Headings have units, in the language of the console; wind may change its unit from file to file. Local times
 * without zone.
 */
export const ecowittFiles: ImportFormat = {
  name: 'ecowitt',
  title: 'Ecowitt console or gateway, memory card',
  recognize(head) {
    const headings = head.fields(1, ',');
    const [time = ''] = headings;
    if (!/^(?:Time|Zeit)$/.test(time) || !/^\d{4}[/-]\d\d?[/-]\d\d? \d\d?:\d\d/.test(head.lines[1] ?? ''))
      return undefined;
    // Files of extra channels alone have no other heading of their own than these.
    if (!headings.slice(1).some((heading) => /^(?:CH\d+ |Outdoor |Temperatur)|[(][℃℉][)]/.test(heading)))
      return undefined;
    const names = headings.map((heading) => splitHeading(heading).name.toLowerCase());
    // Files of extra channels have a temperature and a dew point too, of a place that the file does not tell.
    const hasStation = names.some((name) => VARIABLES[name] === 'air_temperature');
    const counter = COUNTERS.flatMap(([pattern, resets]) => {
      const at = names.findIndex((name) => pattern.test(name));
      return at === -1 ? [] : [{ at, resets }];
    })[0];
    return {
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      time: {
        at: [0],
        headings: [time],
        formats:
          head.lines[1]?.startsWith('/', 4) === true
            ? ['YYYY/M/D H:mm', 'YYYY/M/D H:mm:ss']
            : ['YYYY-M-D H:mm', 'YYYY-M-D H:mm:ss'],
        zone: 'station',
      },
      columns: headings.slice(1).map((heading, index): ColumnPlan => {
        const at = index + 1;
        const { name, unit: told } = splitHeading(heading);
        const variable = hasStation ? VARIABLES[name.toLowerCase()] : undefined;
        const unit = told ?? UNITS[variable ?? ''];
        if (at === counter?.at && told !== undefined) {
          const { resets } = counter;
          return { kind: 'counter', at, heading, variable: 'precipitation_amount', unit: told, resets };
        }
        if (variable !== undefined && unit !== undefined)
          return { kind: 'value', at, heading, variable, unit };
        const reason = REASONS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
        return {
          kind: 'left out',
          at,
          heading,
          reason: reason ?? (variable === undefined ? 'no variable of the service' : 'its unit is not known'),
        };
      }),
      isConsole: true,
      missing: ['--', '--.-', '---'],
    };
  },
};
