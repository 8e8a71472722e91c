import { KELVIN } from '../quantity.js';

/**
 * The inputs of the heat balances of a black globe and of a wet wick in the open: J. C. Liljegren et al. (2008), Modeling the Wet
 * Bulb Globe Temperature Using Standard Meteorological Measurements, J. Occup. Environ. Hyg. 5, 645-655, with the properties of
 * air from the paper. Temperatures are in K here, pressures in hPa.
 */
export interface Exposure {
  /** Temperature of the air, K. */
  readonly temperature: number;
  /** Vapor pressure, hPa. */
  readonly vapor: number;
  /** Pressure of the air, hPa. */
  readonly pressure: number;
  /** Wind speed at 2 m, m/s. */
  readonly wind: number;
  /** Global radiation, W/m². */
  readonly radiation: number;
  /** Share of the direct beam in the global radiation, 0 to 1. */
  readonly direct: number;
  /** Sine of the altitude of the sun. */
  readonly altitude: number;
}

const STEFAN_BOLTZMANN = 5.6696e-8;
const MOLAR = { air: 28.97, water: 18.015 } as const;
/** `GAS`: gas constant of air. `CAPACITY`: heat capacity of air. Both in J/(kg K). */
const GAS = 8314.34 / MOLAR.air;
const CAPACITY = 1003.5;
const PRANDTL = CAPACITY / (CAPACITY + 1.25 * GAS);
const PRANDTL_OF = { globe: PRANDTL ** (1 / 3), wick: PRANDTL ** 0.44 } as const;
/** Constants of the diffusivity, from the critical points (atm, K) of air and of water. */
const CRITICAL = {
  factor:
    3.64e-8 *
    (36.4 * 218) ** (1 / 3) *
    (132 * 647.3) ** (5 / 12) *
    Math.sqrt(1 / MOLAR.air + 1 / MOLAR.water),
  temperature: Math.sqrt(132 * 647.3),
} as const;
const GROUND = { albedo: 0.45, emissivity: 0.999 } as const;
const GLOBE = { albedo: 0.05, emissivity: 0.95, diameter: 0.0508 } as const;
const WICK = { albedo: 0.4, emissivity: 0.95, diameter: 0.007, length: 0.0254 } as const;
/** Smallest wind speed in m/s. A warm body always makes some wind by thermal convection. */
const MIN_WIND = 0.13;
/**
 * The temperature of the globe or the wick is searched up to this number of K above the temperature of the air. At this upper end
 * the water of the wick does not boil yet, even at a pressure of 500 hPa.
 */
const MAX_ABOVE_AIR = { globe: 100, wick: 20 } as const;
/** The temperature of the globe or the wick is searched down to this number of K below the temperature of the air. */
const MAX_BELOW_AIR = 50;
/** The search ends when a step is smaller than this number of K. The error of the result is then far smaller than this number. */
const MIN_STEP = 1e-3;
const MAX_STEPS = 100;

/** Temperature of a black globe, °C. */
export function globeTemperature(exposure: Exposure): number {
  const { temperature, wind, pressure, radiation, direct, altitude } = exposure;
  const { albedo, emissivity, diameter } = GLOBE;
  const beam = altitude > 0 ? direct * (1 / (2 * altitude) - 1) : 0;
  const sun = (radiation * (1 - albedo) * (1 + beam + GROUND.albedo)) / (2 * emissivity * STEFAN_BOLTZMANN);
  return balance(temperature, MAX_ABOVE_AIR.globe, (globe) => {
    const film = (globe + temperature) / 2;
    const nusselt = 2 + 0.6 * Math.sqrt(reynolds(film, pressure, wind, diameter)) * PRANDTL_OF.globe;
    const convection = (nusselt * conductivity(film)) / diameter;
    const loss = (convection / (emissivity * STEFAN_BOLTZMANN)) * (globe - temperature);
    return surroundings(exposure) + sun - loss - globe ** 4;
  });
}

/** Natural wet-bulb temperature, the temperature of a wet wick in sun and wind, °C. */
export function naturalWetBulb(exposure: Exposure): number {
  const { temperature, vapor, pressure, wind, radiation, direct, altitude } = exposure;
  const { albedo, emissivity, diameter, length } = WICK;
  const ends = (0.25 * diameter) / length;
  const tangent = altitude > 0 ? Math.sqrt(1 - altitude * altitude) / altitude : 0;
  const beam = direct * (tangent / Math.PI + ends);
  const sun = (1 - albedo) * radiation * ((1 - direct) * (1 + ends) + beam + GROUND.albedo);
  return balance(temperature, MAX_ABOVE_AIR.wick, (wick) => {
    const film = (wick + temperature) / 2;
    const nusselt = 0.281 * reynolds(film, pressure, wind, diameter) ** 0.6 * PRANDTL_OF.wick;
    const convection = (nusselt * conductivity(film)) / diameter;
    const heat = STEFAN_BOLTZMANN * emissivity * (surroundings(exposure) - wick ** 4) + sun;
    const schmidt = viscosity(film) / (density(film, pressure) * diffusivity(film, pressure));
    const saturation = saturationOverWater(wick);
    const transfer = (MOLAR.water / (CAPACITY * MOLAR.air)) * (PRANDTL / schmidt) ** 0.56;
    const evaporation = evaporationHeat(film) * transfer * ((saturation - vapor) / (pressure - saturation));
    return temperature - evaporation + heat / convection - wick;
  });
}

/** The mean radiation of the sky and of the ground, divided by the Stefan-Boltzmann constant, K⁴. */
function surroundings({ temperature, vapor }: Exposure): number {
  return 0.5 * (0.575 * vapor ** 0.143 + GROUND.emissivity) * temperature ** 4;
}

/**
 * Finds the temperature at which the heat gain of a body is 0, by the Illinois method (false position). The gain decreases with the
 * temperature of the body.
 *
 * @param air temperature of the air, K
 * @param above upper end of the search, in K above the temperature of the air
 * @param gain returns the heat gain of a body at a temperature in K, in any unit
 * @returns °C; NaN if the temperature is outside of the searched range
 */
function balance(air: number, above: number, gain: (temperature: number) => number): number {
  let [low, high] = [air - MAX_BELOW_AIR, air + above];
  let [gainOfLow, gainOfHigh] = [gain(low), gain(high)];
  let [last, previous] = [0, Infinity];
  for (let step = 0; step < MAX_STEPS && gainOfLow >= 0 && gainOfHigh < 0; step += 1) {
    const middle = (low * gainOfHigh - high * gainOfLow) / (gainOfHigh - gainOfLow);
    if (Math.abs(middle - previous) < MIN_STEP) return middle - KELVIN;
    previous = middle;
    const gained = gain(middle);
    if (gained >= 0) {
      [low, gainOfLow] = [middle, gained];
      if (last === 1) gainOfHigh /= 2;
      last = 1;
    } else {
      [high, gainOfHigh] = [middle, gained];
      if (last === -1) gainOfLow /= 2;
      last = -1;
    }
  }
  return Number.NaN;
}

/** Saturation vapor pressure over water in moist air, hPa: Buck (1981), as in the paper. @param temperature K */
export function saturationOverWater(temperature: number): number {
  return 1.004 * 6.1121 * Math.exp((17.502 * (temperature - KELVIN)) / (temperature - 32.18));
}

function reynolds(film: number, pressure: number, wind: number, diameter: number): number {
  return (Math.max(wind, MIN_WIND) * density(film, pressure) * diameter) / viscosity(film);
}

/** Density of air, kg/m³. @param temperature K @param pressure hPa */
function density(temperature: number, pressure: number): number {
  return (pressure * 100) / (GAS * temperature);
}

/** Viscosity of air, kg/(m s). @param temperature K */
function viscosity(temperature: number): number {
  const omega = ((temperature / 97 - 2.9) / 0.4) * -0.034 + 1.048;
  return (2.6693e-6 * Math.sqrt(MOLAR.air * temperature)) / (3.617 ** 2 * omega);
}

/** Thermal conductivity of air, W/(m K). @param temperature K */
function conductivity(temperature: number): number {
  return (CAPACITY + 1.25 * GAS) * viscosity(temperature);
}

/** Diffusivity of water vapor in air, m²/s. @param temperature K @param pressure hPa */
function diffusivity(temperature: number, pressure: number): number {
  return (CRITICAL.factor * (temperature / CRITICAL.temperature) ** 2.334) / (pressure / 1013.25);
}

/** Heat of evaporation of water, J/kg. @param temperature K */
function evaporationHeat(temperature: number): number {
  return ((313.15 - temperature) / 30) * -71_100 + 2.4073e6;
}
