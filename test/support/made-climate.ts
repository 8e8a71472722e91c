import type { ClimateDays } from '#domain/weather/climate/climate-days.js';
import { daysOfYears } from './climate-days.js';

/** A generator of numbers from 0 to 1, the same everywhere: Numerical Recipes, "ranqd1". */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Invented days with seasons, warm and cold spells, dry spells and a trend. Values are multiples of 0.1, so that many are equal. Single
 * days, weeks and months are missing.
 */
export function madeClimate(from: number, to: number): ClimateDays {
  const random = randomNumbers(from);
  let [spell, wet] = [0, 0];
  const made = new Map<string, { maximum: number; minimum: number; precipitation: number }>();
  const tenths = (value: number) => Math.round(value * 10) / 10;
  // The function is called once for each date, in order.
  daysOfYears(from, to, {
    mean: (date) => {
      const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
      const season = -Math.cos((2 * Math.PI * (month - 1 + day / 31)) / 12);
      spell = 0.85 * spell + 5 * (random() - 0.5);
      wet = 0.6 * wet + random() - 0.45;
      const mean = 9 + 9 * season + spell + 0.05 * (year - from);
      const range = 4 + 6 * random();
      const amount = wet > 0.1 ? 30 * random() ** 3 : 0;
      const isMissing = (share: number) => random() < share || (month === 5 && year % 7 === 3 && day > 20);
      made.set(date, {
        maximum: isMissing(0.005) ? Number.NaN : tenths(mean + range / 2),
        minimum: isMissing(0.005) ? Number.NaN : tenths(mean - range / 2),
        precipitation: isMissing(0.005) ? Number.NaN : tenths(amount),
      });
      return 0;
    },
  });
  const of = (quantity: 'maximum' | 'minimum' | 'precipitation') => (date: string) =>
    made.get(date)?.[quantity] ?? Number.NaN;
  return daysOfYears(from, to, {
    maximum: of('maximum'),
    minimum: of('minimum'),
    precipitation: of('precipitation'),
  });
}
