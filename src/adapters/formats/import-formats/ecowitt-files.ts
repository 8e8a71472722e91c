import type { ColumnPlan, CounterReset } from '../files/file-plan.js';
import { splitHeading } from '../files/unit-names.js';
import type { ImportFormat } from './import-format.js';

/** Variables by the English or German name in the heading, without the unit and in lower case. */
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
/** Units of quantities whose headings have no unit. */
const UNITS: Readonly<Record<string, string>> = { ultraviolet_index: '1' };

/**
 * Headings of running totals of rain from the tipping bucket, with the time at which the total returns to 0. The total that
 * returns to 0 least often comes first, because only the first total that the file has is read.
 */
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
 * Exports of consoles and gateways of Ecowitt (Fine Offset) to their memory cards: a file for each month and each set of columns.
 * Headings have units and are in the language of the console. The unit of the wind may differ between files. Times are local and
 * have no time zone.
 */
export const ecowittFiles: ImportFormat = {
  name: 'ecowitt',
  title: 'Ecowitt console or gateway, memory card',
  recognize(head) {
    const headings = head.fields(1, ',');
    const [time = ''] = headings;
    if (!/^(?:Time|Zeit)$/.test(time) || !/^\d{4}[/-]\d\d?[/-]\d\d? \d\d?:\d\d/.test(head.lines[1] ?? ''))
      return undefined;
    // At least one of these headings is required. In files of extra channels (additional sensors), the headings that begin with
    // `CH` and a number are the only ones by which Ecowitt can be recognized.
    if (!headings.slice(1).some((heading) => /^(?:CH\d+ |Outdoor |Temperatur)|[(][℃℉][)]/.test(heading)))
      return undefined;
    const names = headings.map((heading) => splitHeading(heading).name.toLowerCase());
    // Files of extra channels also have a temperature and a dew point, but do not say where they were measured.
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
        const { name, unit: headingUnit } = splitHeading(heading);
        const variable = hasStation ? VARIABLES[name.toLowerCase()] : undefined;
        const unit = headingUnit ?? UNITS[variable ?? ''];
        if (at === counter?.at && headingUnit !== undefined) {
          const { resets } = counter;
          return {
            kind: 'counter',
            at,
            heading,
            variable: 'precipitation_amount',
            unit: headingUnit,
            resets,
          };
        }
        if (variable !== undefined && unit !== undefined)
          return { kind: 'value', at, heading, variable, unit };
        const reason = REASONS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
        return {
          kind: 'left out',
          at,
          heading,
          reason:
            reason ?? (variable === undefined ? 'the service has no such variable' : 'its unit is unknown'),
        };
      }),
      isConsole: true,
      missing: ['--', '--.-', '---'],
    };
  },
};
