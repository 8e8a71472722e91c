import { type Particles, US_INDEX_SOURCE, usIndex } from '../../indices/air-quality.js';
import { V } from '../../variables.js';
import type { DerivedQuantity } from '../quantity.js';

/** The US index of the concentration at an instant. The official index is computed from means of hours or days. */
const indexOf = (kind: Particles, name: string): DerivedQuantity => ({
  name,
  unit: '1',
  decimals: 0,
  formula: `${US_INDEX_SOURCE}, of the concentration at that time. The official index has means of hours or days: indices/air-quality`,
  validity: 'concentrations from 0 µg/m³; above the scale 500',
  inputs: [V[kind]],
  compute: (conditions) => usIndex(kind, conditions[kind]),
});

export const fineParticlesIndex = indexOf('pm2p5', 'us_aqi_pm2p5');
export const particlesIndex = indexOf('pm10', 'us_aqi_pm10');
