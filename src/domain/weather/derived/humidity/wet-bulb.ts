import { V } from '../../variables.js';
import { LIKELY_PRESSURE_TEXT, likelyPressure } from '../barometry.js';
import { type DerivedQuantity, within } from '../quantity.js';
import {
  MAGNUS,
  saturationSlope,
  saturationTemperature,
  saturationVaporPressure,
  storedDewPoint,
  type Surface,
  vaporPressure,
} from '../vapor.js';
import { EPSILON } from './mixing-ratio.js';

/**
 * Numbers of the heat balance of adiabatic saturation, by ASHRAE Handbook Fundamentals (2017), chapter 1, equations 33 and 35:
 * heat of evaporation at 0 °C in kJ/kg, decrease of this heat for each °C of the wet-bulb temperature, and heat capacity of water
 * or ice in kJ/(kg K).
 */
const BALANCE = {
  water: { evaporation: 2501, decrease: 2.326, capacity: 4.186 },
  ice: { evaporation: 2830, decrease: 0.24, capacity: 2.1 },
} as const;
/** Heat capacities of dry air and of vapor, kJ/(kg K). */
const AIR = 1.006;
const VAPOR = 1.86;
/**
 * Lowest possible result of the search for the wet-bulb temperature, in °C. Below it, the formula for the vapor pressure over ice
 * is not valid. Air above -45 °C always has a higher wet-bulb temperature.
 */
const MIN_WET_BULB = -65;
/** The search ends after a step of less than this number of °C. Such a step is far below the accuracy of the formula. */
const MIN_STEP = 1e-9;
const MAX_STEPS = 30;

export const wetBulb: DerivedQuantity = {
  name: 'wet_bulb',
  unit: '°C',
  standardName: 'wet_bulb_temperature',
  formula:
    'thermodynamic wet bulb, solved from the heat balance of adiabatic saturation: ASHRAE Handbook Fundamentals (2017), chapter 1, ' +
    'equations 33 and 35, with station pressure, over ice below 0 °C; saturation by WMO-No. 8 (2018), annex 4.B. ' +
    LIKELY_PRESSURE_TEXT,
  validity: 'temperature from -45 to 60 °C, relative humidity from 0 to 100 %, pressure from 500 to 1100 hPa',
  inputs: [V.temperature, V.humidity, V.dewPoint, V.pressure, V.seaLevelPressure],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, MAGNUS.min, MAGNUS.max)) return Number.NaN;
    const vapor = vaporPressure(conditions);
    const pressure = likelyPressure(conditions);
    if (Number.isNaN(vapor + pressure)) return Number.NaN;
    // The exact solution is at least the dew point. Rounding errors of the search can give less, so the result is limited.
    const computed = vapor > 0 ? saturationTemperature(vapor) : MIN_WET_BULB;
    const lowest = Number.isNaN(conditions.dewPoint) ? computed : storedDewPoint(conditions);
    const solution = wetBulbOf({ temperature, pressure, ratio: ratioOf(vapor, pressure) });
    return Math.min(temperature, Math.max(lowest, solution));
  },
};

interface Air {
  /** Temperature of the air, °C. */
  readonly temperature: number;
  /** Pressure of the air, hPa. */
  readonly pressure: number;
  /** Mixing ratio: mass of vapor divided by mass of dry air. */
  readonly ratio: number;
}

function ratioOf(vapor: number, pressure: number): number {
  return (EPSILON * vapor) / (pressure - vapor);
}

/** Wet-bulb temperature in °C. The wet bulb is covered by ice if the solution over water is below 0 °C. */
function wetBulbOf(air: Air): number {
  const overWater = solve(air, 'water', air.temperature);
  return overWater >= 0 ? overWater : solve(air, 'ice', Math.min(air.temperature, 0));
}

/**
 * Solves the heat balance for the wet-bulb temperature with Newton's method. The imbalance of the heat is a convex function that
 * increases with the wet-bulb temperature. Therefore a search that starts above the solution never goes below the solution.
 */
function solve({ temperature, pressure, ratio }: Air, surface: Surface, start: number): number {
  const { evaporation, decrease, capacity } = BALANCE[surface];
  let t = start;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const saturation = saturationVaporPressure(t, surface);
    const saturated = ratioOf(saturation, pressure);
    const latent = evaporation - decrease * t;
    const imbalance =
      latent * saturated -
      AIR * (temperature - t) -
      ratio * (evaporation + VAPOR * temperature - capacity * t);
    const rise = (EPSILON * pressure * saturationSlope(t, surface)) / (pressure - saturation) ** 2;
    const next = Math.max(
      MIN_WET_BULB,
      t - imbalance / (latent * rise - decrease * saturated + AIR + capacity * ratio),
    );
    if (Math.abs(next - t) < MIN_STEP) return next;
    t = next;
  }
  return t;
}
