import { isStart, type IndexRow, rowsOf } from './index-rows.js';
import type { IndexOfDays, YearStart } from './station-index.js';

export interface WaterBalanceOptions {
  /** Crop coefficient Kc of FAO-56: the crop's evapotranspiration as a share of the reference. */
  readonly cropCoefficient: number;
  readonly start: YearStart;
}

export const waterBalance: IndexOfDays<WaterBalanceOptions> = {
  name: 'water-balance',
  title: 'Water balance of a crop',
  source:
    'depletion of the soil as in FAO Irrigation and Drainage Paper 56 (1998), equation 85, without runoff and irrigation: depletion + Kc × reference evapotranspiration - rain, not below 0',
  rule: 'no day since the start is missing',
  columns: [
    {
      name: 'reference_evapotranspiration',
      unit: 'mm',
      decimals: 2,
      description: 'reference evapotranspiration of the day by FAO-56, as in `derived`',
    },
    {
      name: 'crop_evapotranspiration',
      unit: 'mm',
      decimals: 2,
      description: 'the same times the crop coefficient',
    },
    { name: 'precipitation', unit: 'mm', decimals: 2, description: 'rain of the day' },
    {
      name: 'depletion',
      unit: 'mm',
      decimals: 1,
      description: 'water that the soil has lost since the start; a missing day changes nothing',
    },
  ],
  leadDays: 0,
  hasStart: true,
  reads: 'days',
  gives: 'days',
  inputs: ['evapotranspiration', 'precipitation'],
  compute: ({ dates, of }, { cropCoefficient, start }) => {
    const [references, amounts] = [of('evapotranspiration'), of('precipitation')];
    let [depletion, missing] = [0, 0];
    const rows = Array.from(dates, (date, day): IndexRow => {
      if (isStart(date, start)) [depletion, missing] = [0, 0];
      const reference = references[day] as number;
      const rain = amounts[day] as number;
      const lost = cropCoefficient * reference;
      if (Number.isNaN(lost + rain)) missing += 1;
      else depletion = Math.max(0, depletion + lost - rain);
      return { values: [reference, lost, rain, depletion], missing, valid: missing === 0 };
    });
    return rowsOf(waterBalance.columns, rows);
  },
};
