import type { DerivedQuantity } from '../quantity.js';
import { wetBulb } from './wet-bulb.js';

export const deltaT: DerivedQuantity = {
  name: 'delta_t',
  unit: '°C',
  isDifference: true,
  formula: 'temperature - wet_bulb: how fast drops dry, for spraying plants',
  validity: wetBulb.validity,
  inputs: wetBulb.inputs,
  compute: (conditions) => conditions.temperature - wetBulb.compute(conditions),
};
