import { convertDifference } from '../format/units.js';
import { NEAR } from './proof-model.js';
import { useNumbers, useUnit } from '../site-context.js';

/** How the errors of a variable are written, in the units and the language of the visitor. */
export interface ErrorWords {
  readonly unit: string;
  /** Converts an error from metric units. */
  readonly difference: (metric: number) => number;
  /** Writes an error in metric units with its unit: `1.4 °C`. */
  readonly write: (metric: number) => string;
  /** Writes an error in metric units with one more decimal and without its unit, for tables. */
  readonly exact: (metric: number) => string;
  /** The largest error of a hit with its unit: `2 °C`. */
  readonly near: string;
  /** Writes a converted error. */
  readonly fixed: (shown: number) => string;
  /** Writes a converted error, without decimals if they are 0. */
  readonly plain: (shown: number) => string;
  /** Writes a converted error with its sign. */
  readonly signed: (shown: number) => string;
  /** Writes a value in metric units, without its unit. */
  readonly value: (metric: number) => string;
}

/** @param metric unit of the variable in the API */
export function useErrorWords(variable: string, metric: string): ErrorWords {
  const number = useNumbers();
  const unit = useUnit(variable, metric);
  // Errors are small: those of winds in km/h, which have no decimals, would be whole numbers.
  const decimals = Math.max(1, unit.decimals);
  const difference = (error: number) => convertDifference(unit, error);
  const rounded = (shown: number) => Number(shown.toFixed(decimals));
  const plain = (shown: number) => number(shown, Number.isInteger(rounded(shown)) ? 0 : decimals);
  return {
    unit: unit.unit,
    difference,
    write: (error) => `${number(difference(error), decimals)}\u00A0${unit.unit}`,
    exact: (error) => number(difference(error), decimals + 1),
    near: `${plain(difference(NEAR))}\u00A0${unit.unit}`,
    fixed: (shown) => number(shown, decimals),
    plain,
    signed: (shown) => `${rounded(shown) > 0 ? '+' : ''}${plain(shown)}`,
    value: (value) => number(unit.convert(value), decimals),
  };
}

/** Writes shares from 0 to 1 as percentages, and scores with two decimals. An unknown one is a dash. */
export function useScoreWords() {
  const number = useNumbers();
  const known = (value: number | null | undefined, write: (one: number) => string) =>
    typeof value === 'number' ? write(value) : '–';
  return {
    share: (value: number | null | undefined) => known(value, (one) => `${number(100 * one, 0)} %`),
    score: (value: number | null | undefined) => known(value, (one) => number(one, 2)),
  };
}
