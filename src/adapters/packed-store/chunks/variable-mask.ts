import type { Series } from '#domain/weather/series.js';
import { hasValue } from '#adapters/formats/packed/chunk-codec.js';

/** Bit mask of the variables that have a value. Example: 2^1 + 2^5 = 34 for the variables with the numbers 1 and 5. */
export function variableMask(series: Series): number {
  let variables = 0;
  for (const [variable, column] of series.values) if (hasValue(column)) variables += 2 ** variable;
  return variables;
}
