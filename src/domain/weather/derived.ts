import { V } from './variables.js';

/** The inputs of a formula; NaN for unknown values. */
export interface Conditions {
  /** °C. */
  readonly temperature: number;
  /** °C. */
  readonly dewPoint: number;
  /** %. */
  readonly humidity: number;
  /** hPa at the station. */
  readonly pressure: number;
  /** m/s. */
  readonly windSpeed: number;
  /** m above mean sea level. */
  readonly elevation: number;
}

/** A quantity that is computed from others. The result is NaN outside the range of the formula and where an input is missing. */
export interface DerivedQuantity {
  readonly name: string;
  readonly unit: string;
  /** Formula and source. */
  readonly formula: string;
  /** The range in which the formula is valid, in words. */
  readonly validity: string;
  /** Numbers of the variables that the formula reads. */
  readonly inputs: readonly number[];
  compute(conditions: Conditions): number;
}

/** Magnus over water, hPa; WMO-No. 8 (2018), annex 4.B, for -45 to 60 °C. */
export function saturationVapourPressure(temperature: number): number {
  return 6.112 * Math.exp((17.62 * temperature) / (243.12 + temperature));
}

/** Relative humidity in %, as measured, otherwise computed from the dew point. */
export function relativeHumidity({ humidity, temperature, dewPoint }: Conditions): number {
  if (!Number.isNaN(humidity)) return humidity;
  return Math.min(100, (100 * saturationVapourPressure(dewPoint)) / saturationVapourPressure(temperature));
}

const within = (value: number, min: number, max: number) => value >= min && value <= max;
const fahrenheit = (celsius: number) => celsius * 1.8 + 32;
const celsius = (degrees: number) => (degrees - 32) / 1.8;

export const DERIVED: readonly DerivedQuantity[] = [
  {
    name: 'dew_point',
    unit: '°C',
    formula: 'Magnus, inverted: WMO-No. 8 (2018), annex 4.B',
    validity: 'temperature from -45 to 60 °C, relative humidity above 0 and up to 100 %',
    inputs: [V.temperature, V.humidity],
    compute: ({ temperature, humidity }) => {
      if (!within(temperature, -45, 60) || !(humidity > 0 && humidity <= 100)) return Number.NaN;
      const ratio = Math.log((saturationVapourPressure(temperature) * humidity) / 100 / 6.112);
      return (243.12 * ratio) / (17.62 - ratio);
    },
  },
  {
    name: 'heat_index',
    unit: '°C',
    formula: 'Rothfusz regression with its adjustments: US National Weather Service, SR 90-23 (1990)',
    validity: 'temperature from 80 °F (26.67 °C) on, relative humidity from 0 to 100 %',
    inputs: [V.temperature, V.humidity, V.dewPoint],
    compute: (conditions) => {
      const humidity = relativeHumidity(conditions);
      const degrees = fahrenheit(conditions.temperature);
      if (!within(degrees, 80 - 1e-9, 200) || !within(humidity, 0, 100)) return Number.NaN;
      return celsius(heatIndex(degrees, humidity));
    },
  },
  {
    name: 'wind_chill',
    unit: '°C',
    formula: 'US National Weather Service and Environment Canada (2001), wind at 10 m',
    validity: 'temperature up to 10 °C, wind above 3 mph (4.83 km/h)',
    inputs: [V.temperature, V.windSpeed],
    compute: ({ temperature, windSpeed }) => {
      const speed = windSpeed * 3.6;
      if (!within(temperature, -80, 10) || !(windSpeed > 3 * 0.44704 + 1e-9)) return Number.NaN;
      const power = speed ** 0.16;
      return 13.12 + 0.6215 * temperature - 11.37 * power + 0.3965 * temperature * power;
    },
  },
  {
    name: 'humidex',
    unit: '°C',
    formula: 'Masterton and Richardson (1979), Environment Canada',
    validity: 'temperature from 20 to 55 °C',
    inputs: [V.temperature, V.dewPoint, V.humidity],
    compute: (conditions) => {
      const { temperature } = conditions;
      const dewPoint = dewPointOf(conditions);
      if (!within(temperature, 20, 55) || Number.isNaN(dewPoint)) return Number.NaN;
      const pressure = 6.11 * Math.exp(5417.753 * (1 / 273.16 - 1 / (273.15 + dewPoint)));
      return temperature + (5 / 9) * (pressure - 10);
    },
  },
  {
    name: 'apparent_temperature',
    unit: '°C',
    formula: 'Steadman (1994), without radiation: Australian Bureau of Meteorology',
    validity: 'temperature from -40 to 60 °C, wind up to 20 m/s',
    inputs: [V.temperature, V.humidity, V.dewPoint, V.windSpeed],
    compute: (conditions) => {
      const { temperature, windSpeed } = conditions;
      const humidity = relativeHumidity(conditions);
      if (!within(temperature, -40, 60) || !within(windSpeed, 0, 20) || !within(humidity, 0, 100))
        return Number.NaN;
      const pressure = (humidity / 100) * 6.105 * Math.exp((17.27 * temperature) / (237.7 + temperature));
      return temperature + 0.33 * pressure - 0.7 * windSpeed - 4;
    },
  },
  {
    name: 'wet_bulb',
    unit: '°C',
    formula: 'Stull (2011), J. Appl. Meteor. Climatol. 50, at 1013.25 hPa',
    validity: 'temperature from -20 to 50 °C, relative humidity from 5 to 99 %',
    inputs: [V.temperature, V.humidity, V.dewPoint],
    compute: (conditions) => {
      const { temperature: t } = conditions;
      const h = relativeHumidity(conditions);
      if (!within(t, -20, 50) || !within(h, 5, 99)) return Number.NaN;
      return (
        t * Math.atan(0.151977 * Math.sqrt(h + 8.313659)) +
        Math.atan(t + h) -
        Math.atan(h - 1.676331) +
        0.00391838 * h ** 1.5 * Math.atan(0.023101 * h) -
        4.686035
      );
    },
  },
  {
    name: 'sea_level_pressure',
    unit: 'hPa',
    formula:
      'Reduction with the mean virtual temperature of the column: WMO-No. 8 (2018), chapter 3, equation 3.2',
    validity: 'stations below 750 m, temperature from -45 to 60 °C',
    inputs: [V.pressure, V.temperature, V.humidity, V.dewPoint],
    compute: (conditions) => {
      const { pressure, temperature, elevation } = conditions;
      const humidity = relativeHumidity(conditions);
      if (!within(elevation, -500, 750) || !within(temperature, -45, 60)) return Number.NaN;
      const vapour = (saturationVapourPressure(temperature) * humidity) / 100;
      const column = 273.15 + temperature + (0.0065 * elevation) / 2 + 0.12 * vapour;
      return pressure * 10 ** ((0.0148275 * elevation) / column);
    },
  },
  {
    name: 'vapour_pressure_deficit',
    unit: 'kPa',
    formula: 'FAO Irrigation and Drainage Paper 56 (1998), equations 11 and 17 at an instant',
    validity: 'temperature from -45 to 60 °C, relative humidity from 0 to 100 %',
    inputs: [V.temperature, V.humidity, V.dewPoint],
    compute: (conditions) => {
      const { temperature } = conditions;
      const humidity = relativeHumidity(conditions);
      if (!within(temperature, -45, 60) || !within(humidity, 0, 100)) return Number.NaN;
      return 0.6108 * Math.exp((17.27 * temperature) / (temperature + 237.3)) * (1 - humidity / 100);
    },
  },
];

export function derivedNamed(name: string): DerivedQuantity | undefined {
  return DERIVED.find((quantity) => quantity.name === name);
}

function dewPointOf(conditions: Conditions): number {
  if (!Number.isNaN(conditions.dewPoint)) return conditions.dewPoint;
  return derivedNamed('dew_point')?.compute(conditions) ?? Number.NaN;
}

/**
 * Heat index in °F from a temperature in °F and a humidity in %. Below 80 °F a simple formula; otherwise a regression,
 * adjusted for dry and for damp air.
 */
function heatIndex(t: number, h: number): number {
  const simple = 0.5 * (t + 61 + (t - 68) * 1.2 + h * 0.094);
  if ((simple + t) / 2 < 80) return (simple + t) / 2;
  const regression =
    -42.379 +
    2.04901523 * t +
    10.14333127 * h -
    0.22475541 * t * h -
    0.00683783 * t * t -
    0.05481717 * h * h +
    0.00122874 * t * t * h +
    0.00085282 * t * h * h -
    0.00000199 * t * t * h * h;
  if (h < 13 && t <= 112) return regression - ((13 - h) / 4) * Math.sqrt((17 - Math.abs(t - 95)) / 17);
  if (h > 85 && t <= 87) return regression + ((h - 85) / 10) * ((87 - t) / 5);
  return regression;
}
