import { FLAG, type Series } from '../series.js';

/**
 * A change of level that does not come back within the time that the check of steps looks at, or not at all:
 *
 *     a a a                 a a a
 *           b b b b b b b b
 *           |               |
 *           time            returned
 *
 * Only the first `b`, and the first `a` after it, are suspect, because nothing but these two changes shows that the `b` are wrong.
 */
export interface LevelShift {
  /** Number of the variable. */
  readonly variable: number;
  /** Time of the first value of the new level, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** From the value before it, in the variable's unit. */
  readonly change: number;
  /** Time of the first value after the opposite step of about the same size, if that is the next step; otherwise null. */
  readonly returned: number | null;
}

/** How far two opposite steps may differ, as a share of the larger one: the weather changes between them and in the same hour. */
export const RETURN_TOLERANCE = 0.35;
/** Values that say nothing about the level. */
const ABSENT = FLAG.grossRange | FLAG.spike | FLAG.persistence | FLAG.overridden;

/** Finds the lasting steps of judged rows, by time. Each flag is that of the check, not of an override. */
export function findLevelShifts({ times, values, flags }: Series): LevelShift[] {
  const found: LevelShift[] = [];
  for (const [variable, bytes] of flags) {
    const column = values.get(variable);
    if (column !== undefined) found.push(...paired(variable, edgesOf(times, column, bytes)));
  }
  return found.sort((a, b) => a.time - b.time || a.variable - b.variable);
}

type Edge = Pick<LevelShift, 'time' | 'change'>;

/** The values that are suspect because of a step, while those before and after them are not. */
function edgesOf(times: Float64Array, column: Float64Array, flags: Uint8Array): Edge[] {
  const edges: Edge[] = [];
  let before = -1;
  let edge: Edge | undefined;
  let isStep = false;
  for (let row = 0; row < times.length; row += 1) {
    const flag = flags[row] as number;
    if (Number.isNaN(column[row]) || (flag & ABSENT) !== 0) continue;
    const isNext = (flag & FLAG.step) !== 0;
    if (edge !== undefined && !isNext) edges.push(edge);
    edge =
      isNext && !isStep && before >= 0
        ? { time: times[row] as number, change: (column[row] as number) - (column[before] as number) }
        : undefined;
    isStep = isNext;
    before = row;
  }
  return edge === undefined ? edges : [...edges, edge];
}

function paired(variable: number, edges: readonly Edge[]): LevelShift[] {
  const steps: LevelShift[] = [];
  for (let index = 0; index < edges.length; index += 1) {
    const edge = edges[index] as Edge;
    const next = edges[index + 1];
    const returned = next !== undefined && isReturn(edge.change, next.change) ? next.time : null;
    steps.push({ variable, ...edge, returned });
    if (returned !== null) index += 1;
  }
  return steps;
}

function isReturn(change: number, next: number): boolean {
  return Math.abs(change + next) <= RETURN_TOLERANCE * Math.max(Math.abs(change), Math.abs(next));
}
