import { referenceEvapotranspiration } from './evapotranspiration/reference-evapotranspiration.js';
import type { PeriodQuantity } from './period-quantity.js';

/** The quantities of calendar hours and days. */
export const DERIVED_OF_PERIODS: readonly PeriodQuantity[] = [referenceEvapotranspiration];
