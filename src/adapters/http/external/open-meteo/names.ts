import { F } from '#domain/forecast/forecast-variables.js';
import { apparentTemperature } from '#domain/weather/derived/comfort/apparent-temperature.js';
import { dewPoint } from '#domain/weather/derived/humidity/dew-point.js';
import { vaporPressureDeficit } from '#domain/weather/derived/humidity/vapor-pressure-deficit.js';
import { wetBulb } from '#domain/weather/derived/humidity/wet-bulb.js';
import { seaLevelPressure } from '#domain/weather/derived/air/sea-level-pressure.js';
import type { DerivedQuantity } from '#domain/weather/derived/quantity.js';
import type { TimeMethod } from '#domain/weather/summaries/at-times.js';
import { V, variableNamed } from '#domain/weather/variables.js';
import type { Dimension } from './units.js';

/** Where the values of a name come from. */
export type Origin =
  /** A variable of the catalog. */
  | { readonly kind: 'variable'; readonly variable: number; readonly method: TimeMethod }
  /** A quantity that is computed from the values at the same time. */
  | { readonly kind: 'derived'; readonly quantity: DerivedQuantity }
  /** A quantity that only forecasts have, of the hour that ends at the time. An amount of an hour is not an amount of a shorter step. */
  | { readonly kind: 'forecast'; readonly number: number; readonly isAmount: boolean }
  | { readonly kind: 'is_day' }
  /** Open-Meteo has the name, weatherd has no values. */
  | { readonly kind: 'none' };

/** A name of Open-Meteo at times: of `hourly`, `minutely_15` and `current`. */
export interface TimeName {
  readonly dimension: Dimension;
  readonly origin: Origin;
}

const named = (name: string) => variableNamed(name)?.number as number;
const variable = (number: number, method: TimeMethod = 'at'): Origin => ({
  kind: 'variable',
  variable: number,
  method,
});
const derived = (quantity: DerivedQuantity): Origin => ({ kind: 'derived', quantity });
const forecast = (number: number, isAmount = false): Origin => ({ kind: 'forecast', number, isAmount });
/** The origin of names that weatherd has no values of. */
export const NONE: Origin = { kind: 'none' };

/** The names that weatherd has values of. Amounts, gusts and radiation are of the step that ends at the time, as in Open-Meteo. */
const OWN: Readonly<Record<string, readonly [Dimension, Origin]>> = {
  temperature_2m: ['temperature', variable(V.temperature)],
  relative_humidity_2m: ['percent', variable(V.humidity)],
  dew_point_2m: ['temperature', derived(dewPoint)],
  apparent_temperature: ['temperature', derived(apparentTemperature)],
  wet_bulb_temperature_2m: ['temperature', derived(wetBulb)],
  vapour_pressure_deficit: ['kilopascal', derived(vaporPressureDeficit)],
  pressure_msl: ['hectopascal', derived(seaLevelPressure)],
  surface_pressure: ['hectopascal', variable(V.pressure)],
  wind_speed_10m: ['windSpeed', variable(V.windSpeed)],
  wind_direction_10m: ['degree', variable(V.windDirection)],
  wind_gusts_10m: ['windSpeed', variable(V.gust, 'maximum')],
  precipitation: ['precipitation', variable(V.precipitation, 'sum')],
  shortwave_radiation: ['watts', variable(V.radiation, 'mean')],
  sunshine_duration: ['seconds', variable(V.sunshine, 'sum')],
  uv_index: ['number', variable(V.ultravioletIndex)],
  visibility: ['length', variable(named('visibility_in_air'))],
  cloud_cover: ['percent', variable(named('cloud_area_fraction'))],
  snow_depth: ['length', variable(named('surface_snow_thickness'))],
  precipitation_probability: ['percent', forecast(F.rainChance)],
  weather_code: ['wmoCode', forecast(F.weatherCode)],
  snowfall: ['snowfall', forecast(F.snow, true)],
  is_day: ['integer', { kind: 'is_day' }],
};

/** Names of Open-Meteo that weatherd lacks, by dimension. A `#` stands for a number. */
const FOREIGN: Readonly<Partial<Record<Dimension, string>>> = {
  temperature:
    'temperature_#m temperature_#hPa dew_point_#hPa soil_temperature_#cm soil_temperature_#_to_#cm surface_temperature skin_temperature lifted_index',
  percent:
    'relative_humidity_#hPa cloud_cover_low cloud_cover_mid cloud_cover_high cloud_cover_#hPa rain_probability thunderstorm_probability snowfall_probability freezing_rain_probability ice_pellets_probability leaf_wetness_probability albedo',
  precipitation:
    'rain showers evapotranspiration et0_fao_evapotranspiration snowfall_water_equivalent snow_depth_water_equivalent runoff potential_evapotranspiration',
  snowfall: 'hail',
  length:
    'freezing_level_height freezinglevel_height snowfall_height boundary_layer_height snow_height cloud_base cloud_top geopotential_height_#hPa convective_cloud_base convective_cloud_top',
  windSpeed: 'wind_speed_#m wind_speed_#hPa wind_gusts_#m wind_u_component_#m wind_v_component_#m',
  degree: 'wind_direction_#m wind_direction_#hPa',
  watts:
    'direct_radiation diffuse_radiation direct_normal_irradiance global_tilted_irradiance terrestrial_radiation direct_radiation_instant diffuse_radiation_instant direct_normal_irradiance_instant global_tilted_irradiance_instant terrestrial_radiation_instant shortwave_radiation_instant shortwave_radiation_clear_sky latent_heat_flux sensible_heat_flux longwave_radiation',
  joules: 'cape convective_inhibition lightning_potential',
  kilograms: 'total_column_integrated_water_vapour total_column_water mass_density_8m',
  moisture: 'soil_moisture_#cm soil_moisture_#_to_#cm soil_moisture_#_#cm',
  number: 'uv_index_clear_sky k_index soil_moisture_index_#_to_#cm sea_ice_cover',
  ms: 'updraft vertical_velocity_#hPa',
  wmoCode: 'precipitation_type',
};

/** The names of `/v1/air-quality`. */
const OWN_AIR: Readonly<Record<string, readonly [Dimension, Origin]>> = {
  pm2_5: ['micrograms', variable(V.pm2p5)],
  pm10: ['micrograms', variable(V.pm10)],
  carbon_dioxide: ['ppm', variable(named('mole_fraction_of_carbon_dioxide_in_air'))],
  uv_index: ['number', variable(V.ultravioletIndex)],
  is_day: ['integer', { kind: 'is_day' }],
};
const FOREIGN_AIR: Readonly<Partial<Record<Dimension, string>>> = {
  micrograms:
    'carbon_monoxide nitrogen_dioxide nitrogen_monoxide sulphur_dioxide ozone ammonia methane dust formaldehyde glyoxal non_methane_volatile_organic_compounds pm10_wildfires peroxyacyl_nitrates secondary_inorganic_aerosol residential_elementary_carbon total_elementary_carbon pm2_5_total_organic_matter sea_salt_aerosol',
  grains: 'alder_pollen birch_pollen grass_pollen mugwort_pollen olive_pollen ragweed_pollen',
  number: 'aerosol_optical_depth uv_index_clear_sky',
  europeanIndex:
    'european_aqi european_aqi_pm2_5 european_aqi_pm10 european_aqi_nitrogen_dioxide european_aqi_ozone european_aqi_sulphur_dioxide european_aqi_no2 european_aqi_o3 european_aqi_so2',
  americanIndex:
    'us_aqi us_aqi_pm2_5 us_aqi_pm10 us_aqi_nitrogen_dioxide us_aqi_ozone us_aqi_sulphur_dioxide us_aqi_carbon_monoxide us_aqi_no2 us_aqi_o3 us_aqi_so2 us_aqi_co',
};

/** Names of older versions of Open-Meteo, which clients still send. */
const OLD_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^windspeed_/, 'wind_speed_'],
  [/^winddirection_/, 'wind_direction_'],
  [/^windgusts_/, 'wind_gusts_'],
  [/^relativehumidity_/, 'relative_humidity_'],
  [/^dewpoint_/, 'dew_point_'],
  [/^cloudcover(?=_|$)/, 'cloud_cover'],
  [/^weathercode$/, 'weather_code'],
  [/^vapor_pressure_deficit/, 'vapour_pressure_deficit'],
];

/** A name as Open-Meteo spells it today. */
export const todaysName = (name: string): string =>
  OLD_WORDS.reduce((text, [word, now]) => text.replace(word, now), name);

/** The names that messages suggest for an unknown name. */
export const KNOWN_NAMES: readonly string[] = [...Object.keys(OWN), ...Object.keys(OWN_AIR)];

export type Family = 'weather' | 'air-quality';

const FAMILIES = {
  weather: { own: OWN, foreign: patternsOf(FOREIGN) },
  'air-quality': { own: OWN_AIR, foreign: patternsOf(FOREIGN_AIR) },
};

/** Finds a name of `hourly`, `minutely_15` or `current`; undefined if Open-Meteo does not have it. */
export function timeName(name: string, family: Family): TimeName | undefined {
  const { own, foreign } = FAMILIES[family];
  const today = todaysName(name);
  if (Object.hasOwn(own, today)) {
    const [dimension, origin] = own[today] as (typeof own)[string];
    return { dimension, origin };
  }
  const found = foreign.find(({ pattern }) => pattern.test(today));
  return found && { dimension: found.dimension, origin: NONE };
}

function patternsOf(names: Readonly<Partial<Record<Dimension, string>>>) {
  return Object.entries(names).map(([dimension, text]) => ({
    dimension: dimension as Dimension,
    // Expression of the lists above: alternatives of literal words and digits, with anchors at both ends.
    pattern: new RegExp(`^(?:${text.replaceAll(' ', '|').replaceAll('#', String.raw`\d{1,4}`)})$`),
  }));
}
