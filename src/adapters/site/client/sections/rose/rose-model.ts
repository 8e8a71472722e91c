import { sectorOf } from '../../now/model/beaufort.js';

export const SECTORS = 16;

export interface Rose {
  /** Values that count: calms, and winds with a direction. */
  readonly total: number;
  readonly calms: number;
  /** Winds whose direction is not known. They are left out. */
  readonly without: number;
  /** By sector, clockwise from north, then by class of speed: number of values. */
  readonly counts: readonly (readonly number[])[];
}

/**
 * Counts winds by sector and class.
 *
 * @param bounds lower bounds of the classes but the first, in the unit of `speeds`
 * @param calmBelow a slower wind is a calm, whatever its direction
 */
export function countWinds(
  speeds: readonly (number | null)[],
  directions: readonly (number | null)[],
  bounds: readonly number[],
  calmBelow: number,
): Rose {
  const counts = Array.from({ length: SECTORS }, () => Array.from({ length: bounds.length + 1 }, () => 0));
  let [total, calms, without] = [0, 0, 0];
  for (const [row, speed] of speeds.entries()) {
    if (speed === null) continue;
    const direction = directions[row] ?? null;
    if (speed < calmBelow) calms += 1;
    else if (direction === null) {
      without += 1;
      continue;
    } else {
      const classes = counts[sectorOf(direction)] as number[];
      const number = bounds.filter((bound) => speed >= bound).length;
      classes[number] = (classes[number] as number) + 1;
    }
    total += 1;
  }
  return { total, calms, without, counts };
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sector from which the wind came most often; undefined without any wind. */
export function prevailing({ counts }: Rose): number | undefined {
  const totals = counts.map(sum);
  const most = Math.max(...totals);
  return most === 0 ? undefined : totals.indexOf(most);
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
