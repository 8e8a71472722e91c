import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';

/** Parameters by their English names in the first line. The second line has the units, which are always the same. */
const FIELDS: Readonly<Record<string, HeadingField>> = {
  cloud_cover_total: { variable: 'cloud_area_fraction', unit: '%' },
  dew_point_temperature_at_2_meter_above_ground: { variable: 'dew_point_temperature', unit: '°C' },
  dry_bulb_temperature_at_2_meter_above_ground: { variable: 'air_temperature', unit: '°C' },
  global_radiation_last_hour: { variable: 'surface_downwelling_shortwave_flux_in_air', unit: 'W/m²' },
  horizontal_visibility: { variable: 'visibility_in_air', unit: 'km' },
  maximum_wind_speed_last_hour: { variable: 'wind_speed_of_gust', unit: 'km/h' },
  'mean_wind_direction_during_last_10 min_at_10_meters_above_ground': {
    variable: 'wind_from_direction',
    unit: 'degree',
  },
  'mean_wind_speed_during last_10_min_at_10_meters_above_ground': { variable: 'wind_speed', unit: 'km/h' },
  precipitation_amount_last_hour: { variable: 'precipitation_amount', unit: 'mm' },
  pressure_reduced_to_mean_sea_level: { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  relative_humidity: { variable: 'relative_humidity', unit: '%' },
  total_snow_depth: { variable: 'surface_snow_thickness', unit: 'cm' },
  total_time_of_sunshine_during_last_hour: { variable: 'duration_of_sunshine', unit: 'min' },
};

/**
 * Current observations (POI) of the Deutscher Wetterdienst: one station, three lines of headings, the newest row first. Times are
 * in UTC.
 */
export const dwdPoi: ImportFormat = {
  name: 'dwd-poi',
  title: 'Deutscher Wetterdienst, current observations (POI)',
  recognize(head) {
    const headings = head.fields(1, ';');
    if (headings[0] !== 'surface observations' || headings[1] !== 'Parameter description') return undefined;
    return {
      routineInterval: 3600,
      layout: { kind: 'delimited', delimiter: ';', first: 4, width: headings.length },
      decimal: ',',
      time: { at: [0, 1], headings: ['Datum', 'Uhrzeit (UTC)'], formats: ['DD.MM.YY HH:mm'], zone: 'utc' },
      columns: columnsByHeading(headings, { fields: FIELDS, usedFields: [0, 1], reasonOf }),
      missing: ['---'],
    };
  },
};

function reasonOf(heading: string): string | undefined {
  if (/_last_\d+_hours|last_\d+_hours|past_24_hours|previous_day|past_day|past_weather/.test(heading))
    return 'of a longer period';
  return undefined;
}
