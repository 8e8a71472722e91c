import type { MeasuredElement, Element } from './elements.js';
import type { PeriodFigures } from './month-figures.js';
import type { Normals } from './normals.js';
import { type ClimateRow, figure, type Figure } from './validity.js';

/** An element of months and years as an anomaly: its difference from the normal, or its percentage of the normal. */
export type AnomalyElement = MeasuredElement & Pick<Element, 'quantity' | 'description' | 'statistic'>;

/**
 * The anomalies of elements. A sum is a percentage of its normal, because a difference of 20 mm is much in a dry month and little in a
 * wet month. Other elements are differences. The elements must have normals (`Normals`).
 */
export function anomalyElements(elements: readonly Element[]): readonly AnomalyElement[] {
  return elements.map(({ name, quantity, statistic, description, variable }) => {
    const common = { name, quantity, statistic };
    if (statistic === 'sum')
      return { ...common, description: `${description}, in percent of the normal`, unit: '%' };
    const ofDifference = { ...common, description: `${description}, minus the normal` };
    return variable === undefined ? ofDifference : { ...ofDifference, variable, isDifference: true };
  });
}

/**
 * Compares months or years with the normals of their month of the year or of the year. An anomaly is valid if the number of the period
 * and the normal are valid; a percentage also needs a normal above 0.
 *
 * @param rows months or years, with one figure for each of `elements`
 */
export function anomaliesOf(
  elements: readonly AnomalyElement[],
  rows: readonly PeriodFigures[],
  normals: Normals,
): readonly ClimateRow[] {
  return rows.map(({ label, month, figures }) => {
    const normal = month === 0 ? normals.year : normals.months[month - 1];
    return {
      label,
      figures: elements.map(({ statistic }, index) =>
        anomalyOf(figures[index] as Figure, normal?.figures[index] as Figure, statistic === 'sum'),
      ),
    };
  });
}

function anomalyOf(observed: Figure, normal: Figure, isPercent: boolean): Figure {
  const value = isPercent ? (100 * observed.value) / normal.value : observed.value - normal.value;
  const isValid = observed.valid && normal.valid && !(isPercent && normal.value <= 0);
  const { years = 0, missingYears = 0 } = normal;
  return { ...figure(value, observed, 'anomaly', isValid), years, missingYears };
}
