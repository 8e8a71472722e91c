/** How Home Assistant shows a quantity. */
export interface Entity {
  /** Name without the name of the station. */
  readonly name: string;
  /**
   * Device class of a sensor, which decides the icon and the units that a person can choose. Absent where Home Assistant has no class for
   * the quantity.
   */
  readonly deviceClass?: string;
  /** Unit of the sensor, one of the units of its class. Absent for a number without unit. */
  readonly unit?: string;
  /** Number of these units in the stored unit; 1 if absent. */
  readonly scale?: number;
  /** `measurement` if absent. `total_increasing` begins again with 0 each day. */
  readonly stateClass?: 'measurement_angle' | 'total_increasing';
  /** Number of decimals that are shown. */
  readonly decimals: number;
}

const temperature = (name: string): Entity => ({
  name,
  deviceClass: 'temperature',
  unit: '°C',
  decimals: 1,
});
const pressure = (name: string): Entity => ({
  name,
  deviceClass: 'atmospheric_pressure',
  unit: 'hPa',
  decimals: 1,
});
const wind = (name: string): Entity => ({ name, deviceClass: 'wind_speed', unit: 'm/s', decimals: 1 });
const direction = (name: string): Entity => ({
  name,
  deviceClass: 'wind_direction',
  unit: '°',
  stateClass: 'measurement_angle',
  decimals: 0,
});
const particles = (name: string, deviceClass: string): Entity => ({
  name,
  deviceClass,
  unit: 'µg/m³',
  decimals: 1,
});
const soilMoisture = (name: string): Entity => ({
  name,
  deviceClass: 'moisture',
  unit: '%',
  scale: 100,
  decimals: 0,
});
const index = (name: string): Entity => ({ name, deviceClass: 'aqi', decimals: 0 });

/**
 * How Home Assistant shows each quantity that is published, by the name of the quantity. Classes and units are those of `sensor` in Home
 * Assistant (https://www.home-assistant.io/integrations/sensor/#device-class).
 */
export const ENTITIES: Readonly<Record<string, Entity>> = {
  air_temperature: temperature('Temperature'),
  dew_point_temperature: temperature('Dew point'),
  dew_point: temperature('Dew point'),
  feels_like: temperature('Feels like'),
  relative_humidity: { name: 'Humidity', deviceClass: 'humidity', unit: '%', decimals: 0 },
  surface_air_pressure: pressure('Station pressure'),
  air_pressure_at_mean_sea_level: pressure('Sea level pressure'),
  sea_level_pressure: pressure('Sea level pressure'),
  wind_speed: wind('Wind speed'),
  wind_speed_of_gust: wind('Wind gust'),
  wind_from_direction: direction('Wind direction'),
  wind_gust_from_direction: direction('Gust direction'),
  rain_today: {
    name: 'Rain today',
    deviceClass: 'precipitation',
    unit: 'mm',
    stateClass: 'total_increasing',
    decimals: 1,
  },
  rainfall_rate: { name: 'Rain rate', deviceClass: 'precipitation_intensity', unit: 'mm/h', decimals: 1 },
  snowfall_today: {
    name: 'Snowfall today',
    deviceClass: 'precipitation',
    unit: 'mm',
    stateClass: 'total_increasing',
    decimals: 0,
  },
  surface_snow_thickness: {
    name: 'Snow depth',
    deviceClass: 'distance',
    unit: 'cm',
    scale: 100,
    decimals: 0,
  },
  surface_downwelling_shortwave_flux_in_air: {
    name: 'Solar radiation',
    deviceClass: 'irradiance',
    unit: 'W/m²',
    decimals: 0,
  },
  ultraviolet_index: { name: 'UV index', decimals: 1 },
  sunshine_today: {
    name: 'Sunshine today',
    deviceClass: 'duration',
    unit: 's',
    stateClass: 'total_increasing',
    decimals: 0,
  },
  visibility_in_air: { name: 'Visibility', deviceClass: 'distance', unit: 'm', decimals: 0 },
  cloud_area_fraction: { name: 'Cloud cover', unit: '%', decimals: 0 },
  soil_temperature: temperature('Soil temperature'),
  volume_fraction_of_condensed_water_in_soil: soilMoisture('Soil moisture'),
  volume_fraction_of_condensed_water_in_soil_pores: soilMoisture('Soil saturation'),
  leaf_wetness: { name: 'Leaf wetness', unit: '%', decimals: 0 },
  lightning_strikes_today: { name: 'Lightning strikes today', stateClass: 'total_increasing', decimals: 0 },
  mass_concentration_of_pm1_ambient_aerosol_particles_in_air: particles('PM1', 'pm1'),
  mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: particles('PM2.5', 'pm25'),
  mass_concentration_of_pm10_ambient_aerosol_particles_in_air: particles('PM10', 'pm10'),
  mole_fraction_of_carbon_dioxide_in_air: {
    name: 'Carbon dioxide',
    deviceClass: 'carbon_dioxide',
    unit: 'ppm',
    decimals: 0,
  },
  us_aqi_pm2p5: index('Air quality index, PM2.5'),
  us_aqi_pm10: index('Air quality index, PM10'),
};

const chance = (name: string): Entity => ({ name, unit: '%', decimals: 0 });

/**
 * How Home Assistant shows the values of a forecast, with names that follow the word "Forecast". They have no state class, because Home Assistant keeps statistics of measurements
 * only, not of forecasts (https://developers.home-assistant.io/docs/core/entity/sensor/#available-state-classes).
 */
export const FORECAST_ENTITIES: Readonly<Record<string, Omit<Entity, 'stateClass' | 'scale'>>> = {
  forecast_minimum_today: temperature('minimum today'),
  forecast_maximum_today: temperature('maximum today'),
  forecast_rain_chance_today: chance('chance of rain today'),
  forecast_minimum_tomorrow: temperature('minimum tomorrow'),
  forecast_maximum_tomorrow: temperature('maximum tomorrow'),
  forecast_rain_chance_tomorrow: chance('chance of rain tomorrow'),
};
