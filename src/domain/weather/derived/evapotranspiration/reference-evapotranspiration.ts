import { MILLISECONDS } from '#domain/time.js';
import type { Statistics } from '../../summaries/statistics.js';
import { V } from '../../variables.js';
import { faoSaturation } from '../humidity/vapor-pressure-deficit.js';
import type { Period, PeriodSite, PeriodQuantity } from '../period-quantity.js';
import { within } from '../quantity.js';
import { extraterrestrialRadiation, sineOfAltitude, type Sun, sunAt } from '../solar.js';
import { anemometerHeight, WIND_HEIGHT_TEXT, windAtTwoMeters } from '../wind-profile.js';
import { clearSkyShare, fourthPowerOf, penmanMonteith } from './penman-monteith.js';

/** Sine of the smallest altitude of the sun (0.3 rad, 17°) at which the clearness of the sky is known: FAO-56, page 75. */
const MIN_CLEAR_ALTITUDE = Math.sin(0.3);
/** Longest time in milliseconds for which the clearness of the last daylight is used at night. */
const MAX_CLEARNESS_AGE = MILLISECONDS.day;
const J_PER_MJ = 1e6;

export const referenceEvapotranspiration: PeriodQuantity = {
  name: 'reference_evapotranspiration',
  unit: 'mm',
  standardName: 'water_potential_evapotranspiration_amount',
  decimals: 3,
  formula:
    'FAO Penman-Monteith: FAO Irrigation and Drainage Paper 56 (1998), equation 6 for days, 53 for hours; wind reduced to 2 m ' +
    `${WIND_HEIGHT_TEXT}; at night the clearness of the last daylight. Vapour pressure from the stored dew point, otherwise from the humidity`,
  validity:
    'temperature from -40 to 60 °C, stations from -500 to 9000 m; values of radiation for all of the time while the sun is up, of the other inputs for at least 80 % of it; days with sun; negative ' +
    'results (dew) are 0',
  inputs: [V.temperature, V.dewPoint, V.humidity, V.windSpeed, V.radiation],
  begin: (length, site) => (length === 'day' ? (period) => amountOfDay(period, site) : hourlyAmounts(site)),
};

/** The inputs that the formulas for hours and for days have in common. */
interface Inputs {
  readonly temperature: Statistics;
  /** Wind at 2 m, m/s. */
  readonly wind: number;
  /** Solar radiation in the period, MJ/m². */
  readonly radiation: number;
  /** Position of the sun in the middle of the period. */
  readonly sun: Sun;
  readonly elevation: number;
}

function inputsOf(period: Period, { longitude, elevation, sensorHeights }: PeriodSite): Inputs | undefined {
  const [temperature, wind, radiation] = [V.temperature, V.windSpeed, V.radiation].map((variable) =>
    period.statistics(variable),
  );
  if (temperature === undefined || wind === undefined || radiation === undefined) return undefined;
  if (elevation === null || !within(temperature.min, -40, temperature.max) || !(temperature.max <= 60))
    return undefined;
  const seconds = (period.end - period.start) / MILLISECONDS.second;
  return {
    temperature,
    wind: windAtTwoMeters(wind.mean, anemometerHeight(sensorHeights)),
    radiation: Math.max(0, (radiation.mean * seconds) / J_PER_MJ),
    sun: sunAt((period.start + period.end) / 2, longitude),
    elevation,
  };
}

function amountOfDay(period: Period, site: PeriodSite): number {
  const inputs = inputsOf(period, site);
  const humidity = period.statistics(V.humidity);
  const dewPoint = period.statistics(V.dewPoint);
  if (inputs === undefined) return Number.NaN;
  const { min, max } = inputs.temperature;
  const [cold, warm] = [faoSaturation(min), faoSaturation(max)];
  const vapor = dewPoint
    ? faoSaturation(dewPoint.mean)
    : humidity
      ? (cold * humidity.max + warm * humidity.min) / 200
      : Number.NaN;
  const extraterrestrial = extraterrestrialRadiation(inputs.sun, site.latitude, -Math.PI, Math.PI);
  const clear = clearSkyShare(inputs.elevation) * extraterrestrial;
  const weather = {
    ...inputs,
    temperature: (min + max) / 2,
    fourthPower: (fourthPowerOf(min) + fourthPowerOf(max)) / 2,
    saturation: (cold + warm) / 2,
    vapor,
    clearness: clear > 0 ? inputs.radiation / clear : Number.NaN,
  };
  return amount(penmanMonteith(weather, { numerator: 900, soil: 0, days: 1 }));
}

/**
 * Returns a function that computes the evapotranspiration of an hour in mm. The function must be called for the hours in order of
 * time.
 */
function hourlyAmounts(site: PeriodSite): (period: Period) => number {
  let clearness = Number.NaN;
  let clearnessTime = -Infinity;
  return (period) => {
    const inputs = inputsOf(period, site);
    if (inputs === undefined) return Number.NaN;
    const { sun, radiation, elevation, temperature } = inputs;
    const hours = (period.end - period.start) / MILLISECONDS.hour;
    const half = (hours * Math.PI) / 24;
    const [from, to] = [sun.hourAngle - half, sun.hourAngle + half];
    const extraterrestrial = extraterrestrialRadiation(sun, site.latitude, from, to);
    if (sineOfAltitude(sun, site.latitude) >= MIN_CLEAR_ALTITUDE) {
      clearness = radiation / (clearSkyShare(elevation) * extraterrestrial);
      clearnessTime = period.start;
    }
    const mean = temperature.mean;
    const saturation = faoSaturation(mean);
    const dewPoint = period.statistics(V.dewPoint)?.mean;
    const humidity = period.statistics(V.humidity)?.mean ?? Number.NaN;
    const weather = {
      ...inputs,
      temperature: mean,
      fourthPower: fourthPowerOf(mean),
      saturation,
      vapor: Math.min(
        saturation,
        dewPoint === undefined ? (saturation * humidity) / 100 : faoSaturation(dewPoint),
      ),
      clearness: period.start - clearnessTime <= MAX_CLEARNESS_AGE ? clearness : Number.NaN,
    };
    const soil = extraterrestrial > 0 ? 0.1 : 0.5;
    return amount(penmanMonteith(weather, { numerator: 37 * hours, soil, days: hours / 24 }));
  };
}

/** Replaces a negative amount by 0, because dew is not evapotranspiration. */
function amount(evapotranspiration: number): number {
  return Math.max(0, evapotranspiration);
}
