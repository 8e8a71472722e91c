import type { components } from '../../../../../../clients/typescript/src/schema.js';

type Schemas = components['schemas'];

/** The reply of the route of the wind rose. Speeds are in m/s. */
export interface Rose {
  /** Winds that are counted: calms, and those in sectors. */
  readonly count: number;
  /** A slower wind is a calm. */
  readonly calm_below: number;
  readonly calms: number;
  /** Winds without a direction, which are left out. */
  readonly without_direction: number;
  readonly classes: readonly Readonly<Schemas['SpeedClass']>[];
  /** Clockwise from north. */
  readonly sectors: readonly Readonly<Schemas['WindSector']>[];
}

/** The sector from which the wind came most often; undefined without any wind. */
export function prevailing({ sectors }: Rose): number | undefined {
  const counts = sectors.map(({ count }) => count);
  const most = Math.max(...counts);
  return most === 0 ? undefined : counts.indexOf(most);
}

/** Shares in percent at which rings are drawn: one to four round numbers. @param largest share of a sector in percent */
export function rings(largest: number): number[] {
  const step = [1, 2, 5, 10, 20].find((size) => largest / size < 5) ?? 25;
  return Array.from(
    { length: Math.max(1, Math.floor(largest / step)) },
    (_ring, index) => (index + 1) * step,
  );
}

/** Part of a ring. Angles are in degrees, clockwise from north. @returns data of an SVG path around the origin */
export function wedge(from: number, to: number, inner: number, outer: number): string {
  const point = (angle: number, radius: number) => {
    const turn = (angle * Math.PI) / 180;
    return `${round(radius * Math.sin(turn))} ${round(-radius * Math.cos(turn))}`;
  };
  const arc = (radius: number, sweep: 0 | 1, angle: number) =>
    `A${round(radius)} ${round(radius)} 0 0 ${sweep} ${point(angle, radius)}`;
  return `M${point(from, inner)}L${point(from, outer)}${arc(outer, 1, to)}L${point(to, inner)}${arc(inner, 0, from)}Z`;
}

const round = (value: number) => Math.round(value * 100) / 100;
