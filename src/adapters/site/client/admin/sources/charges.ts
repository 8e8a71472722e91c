import type { Schemas } from '../../api.js';

/** The charge of a battery at one time. */
export interface Charge {
  /** ISO 8601. */
  readonly time: string;
  readonly value: number;
  readonly unit: '%' | 'V';
}

/** Size of the line of a battery in pixels. */
export const LINE = { width: 120, height: 24 } as const;
/** Distance in pixels of the line from the upper and the lower edge, so that no part of the stroke is cut off. */
const MARGIN = 2;

/** The kept charges of a battery, and its charge now, the oldest first. They are voltages if the sensor reports no percentage. */
export function chargesOf({ history = [], last_seen: time, ...now }: Schemas['Sensor']): readonly Charge[] {
  const states = [...history, { time, ...now }];
  const charges = (field: 'battery_percent' | 'battery_voltage', unit: Charge['unit']): Charge[] =>
    states.flatMap((state) => {
      const value = state[field];
      return value === null ? [] : [{ time: state.time, value, unit }];
    });
  const percentages = charges('battery_percent', '%');
  return percentages.length > 0 ? percentages : charges('battery_voltage', 'V');
}

/** The lowest charge, the newest one of several; undefined if the charge has never changed. */
export function lowestOf(charges: readonly Charge[]): Charge | undefined {
  const lowest = charges.reduceRight<Charge | undefined>(
    (least, charge) => (least === undefined || charge.value < least.value ? charge : least),
    undefined,
  );
  return charges.some(({ value }) => value !== lowest?.value) ? lowest : undefined;
}

/** The points of a `polyline` of charges from left to right. The lowest charge is at the lower edge. */
export function lineOf(charges: readonly Charge[]): string {
  const times = charges.map(({ time }) => Date.parse(time));
  const values = charges.map(({ value }) => value);
  const [first, lowest] = [times[0] ?? 0, Math.min(...values)];
  const duration = (times.at(-1) ?? 0) - first || 1;
  const range = Math.max(...values) - lowest || 1;
  const height = LINE.height - 2 * MARGIN;
  return charges
    .map((_, index) => {
      const x = (((times[index] ?? 0) - first) / duration) * LINE.width;
      const y = MARGIN + (1 - ((values[index] ?? 0) - lowest) / range) * height;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
