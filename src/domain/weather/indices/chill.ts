import { type IndexRow, isStart, localDays, rowsOf } from './index-rows.js';
import type { IndexOfHours, YearStart } from './station-index.js';

export interface ChillOptions {
  readonly start: YearStart;
}

/** Temperature range in °C of a chill hour. */
const CHILL_HOUR = { min: 0, max: 7.2 } as const;

/** Upper bounds in °C and weights of the Utah model. An hour has the weight of the first bound that is not below it. */
const UTAH = [
  [1.4, 0],
  [2.4, 0.5],
  [9.1, 1],
  [12.4, 0.5],
  [15.9, 0],
  [18, -0.5],
  [Infinity, -1],
] as const;

/** Constants of the Dynamic Model: Fishman, Erez and Couvillon (1987), with the values of Luedeling et al. (2009). */
const DYNAMIC = { e0: 4153.5, e1: 12_888.8, a0: 139_500, a1: 2.567e18, slope: 1.6, transition: 277 } as const;
/** 0 °C in K, as the Dynamic Model is published. */
const ZERO = 273;

export const chill: IndexOfHours<ChillOptions> = {
  name: 'chill',
  title: 'Winter chill of fruit trees',
  source:
    'chill hours: Weinberger (1950); Utah model: Richardson et al. (1974), HortScience 9; chill portions (Dynamic Model): Fishman et al. (1987), J. Theor. Biol. 124, with the constants of Luedeling et al. (2009), Agric. For. Meteorol. 149',
  rule: 'no hour since the start is missing',
  columns: [
    {
      name: 'chill_hours',
      unit: 'h',
      decimals: 0,
      description: `hours from ${CHILL_HOUR.min} to ${CHILL_HOUR.max} °C since the start`,
    },
    {
      name: 'utah_chill_units',
      unit: '1',
      decimals: 1,
      description: 'units of the Utah model since the start',
    },
    {
      name: 'chill_portions',
      unit: '1',
      decimals: 2,
      description: 'portions of the Dynamic Model since the start',
    },
  ],
  leadDays: 0,
  hasStart: true,
  reads: 'hours',
  gives: 'days',
  inputs: ['temperature'],
  compute: ({ dates, of }, { start }) => {
    const temperatures = of('temperature');
    let [hours, units, missing] = [0, 0, 0];
    let portions = chillPortions();
    const rows = localDays(dates).map(({ date, from, to }): IndexRow => {
      if (isStart(date, start)) {
        [hours, units, missing] = [0, 0, 0];
        portions = chillPortions();
      }
      for (let hour = from; hour < to; hour += 1) {
        const temperature = temperatures[hour] as number;
        if (Number.isNaN(temperature)) {
          missing += 1;
          continue;
        }
        hours += Number(temperature >= CHILL_HOUR.min && temperature <= CHILL_HOUR.max);
        units += utahWeight(temperature);
        portions.add(temperature);
      }
      return { values: [hours, units, portions.sum], missing, valid: missing === 0 };
    });
    return rowsOf(chill.columns, rows);
  },
};

/** Chill units of an hour by the Utah model. @param temperature °C */
export function utahWeight(temperature: number): number {
  return UTAH.find(([bound]) => temperature <= bound)?.[1] ?? 0;
}

interface ChillPortions {
  /** Portions so far. */
  readonly sum: number;
  /** Adds an hour. @param temperature °C */
  add(temperature: number): void;
}

/** Begins a sum of chill portions. An intermediate product is built and destroyed by heat until it is whole; then it stays. */
export function chillPortions(): ChillPortions {
  let [sum, product, fixed] = [0, 0, 0];
  return {
    get sum() {
      return sum;
    },
    add(temperature) {
      const { e0, e1, a0, a1, slope, transition } = DYNAMIC;
      const kelvin = temperature + ZERO;
      const x = (slope * transition * (kelvin - transition)) / kelvin;
      const share = 1 / (1 + Math.exp(-x));
      const balance = (a0 / a1) * Math.exp((e1 - e0) / kelvin);
      const rate = a1 * Math.exp(-e1 / kelvin);
      const rest = product < 1 ? product : product - product * fixed;
      product = balance - (balance - rest) * Math.exp(-rate);
      fixed = share;
      if (product >= 1) sum += product * share;
    },
  };
}
