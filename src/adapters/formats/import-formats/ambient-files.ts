import type { ColumnPlan, CounterReset } from '../files/file-plan.js';
import { ownZoneOf } from '../files/time-guess.js';
import { splitHeading } from '../files/unit-names.js';
import type { ImportFormat } from './import-format.js';

/** Variables by the name in the heading, without the unit and in lower case. */
const VARIABLES: Readonly<Record<string, string>> = {
  'outdoor temperature': 'air_temperature',
  'outdoor humidity': 'relative_humidity',
  humidity: 'relative_humidity',
  'dew point': 'dew_point_temperature',
  'wind speed': 'wind_speed',
  'wind gust': 'wind_speed_of_gust',
  'wind direction': 'wind_from_direction',
  'absolute pressure': 'surface_air_pressure',
  'relative pressure': 'air_pressure_at_mean_sea_level',
  'rain rate': 'rainfall_rate',
  // The values are a rate in spite of the name.
  'hourly rain': 'rainfall_rate',
  'solar radiation': 'surface_downwelling_shortwave_flux_in_air',
  'uv index': 'ultraviolet_index',
  'ultra-violet radiation index': 'ultraviolet_index',
  'pm2.5': 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
  'pm2.5 outdoor': 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
};
/** Units of quantities whose headings may have no unit. */
const UNITS: Readonly<Record<string, string>> = { ultraviolet_index: '1', wind_from_direction: 'degree' };

/**
 * Headings of running totals of rain, with the time at which the total returns to 0. The total that returns to 0 least often
 * comes first, because only the first total that the file has is read.
 */
const COUNTERS: readonly (readonly [name: string, resets: CounterReset])[] = [
  ['total rain', 'never'],
  ['yearly rain', 'year'],
  ['monthly rain', 'month'],
  ['weekly rain', 'week'],
  ['daily rain', 'day'],
];

/** Exports of ambientweather.net. The newest row comes first. The field `Date` is an instant with its offset. */
export const ambientFiles: ImportFormat = {
  name: 'ambient',
  title: 'Ambient Weather, export of ambientweather.net',
  recognize(head) {
    const headings = head.fields(1, ',');
    if (headings[0] !== 'Date' || headings[1] !== 'Simple Date') return undefined;
    // In some exports the headings are UTF-8 that was decoded as Latin-1.
    const split = headings.map((heading) => {
      const { name, unit } = splitHeading(heading.replaceAll('Â', ''));
      return { name: name.toLowerCase(), unit };
    });
    const counter = COUNTERS.map(([name, resets]) => ({
      at: split.findIndex((heading) => heading.name === name),
      resets,
    })).find(({ at }) => at !== -1);
    const usedVariables = new Set<string>();
    return {
      layout: { kind: 'delimited', delimiter: ',', first: 2, width: headings.length },
      time: {
        at: [0],
        headings: ['Date'],
        formats: ['iso'],
        zone: 'station',
        ownZone: ownZoneOf(head.samples(0, 2, ',')),
      },
      columns: headings.flatMap((heading, at): ColumnPlan[] => {
        const { name, unit: headingUnit } = split[at] as (typeof split)[number];
        if (at === 0) return [];
        const variable = VARIABLES[name];
        const unit = headingUnit ?? UNITS[variable ?? ''];
        if (at === counter?.at && headingUnit !== undefined) {
          const { resets } = counter;
          return [
            { kind: 'counter', at, heading, variable: 'precipitation_amount', unit: headingUnit, resets },
          ];
        }
        if (variable !== undefined && unit !== undefined && !usedVariables.has(variable)) {
          usedVariables.add(variable);
          return [{ kind: 'value', at, heading, variable, unit }];
        }
        return [{ kind: 'left out', at, heading, reason: reasonOf(name, variable) }];
      }),
      isConsole: true,
      missing: ['--'],
    };
  },
};

function reasonOf(name: string, variable: string | undefined): string {
  if (variable !== undefined) return 'its unit is unknown, or another column has the same variable';
  if (name === 'simple date') return 'the same time again';
  if (/^(?:event|daily|weekly|monthly|yearly|total) rain$/.test(name))
    return 'another total of the same rain';
  if (name.startsWith('indoor')) return 'indoor';
  if (/^(?:sensor|temperature|humidity|soil)\b.*\d/.test(name)) return 'of an extra sensor';
  if (/battery/.test(name)) return 'a battery';
  if (/^(?:feels like|max daily gust|avg |.*24 ?h)/.test(name)) return 'derived from other values';
  return 'the service has no such variable';
}
