import { FLAG, type Series } from '../series.js';

/**
 * A sudden change of the values to another level. The values return to the old level only after the time that the step check
 * looks ahead (48 hours, `LOOKAHEAD` in `checks/levels.ts`), or they never return:
 *
 *     a a a                 a a a
 *           b b b b b b b b
 *           |               |
 *           time            returned
 *
 * Only the first `b` and the first `a` after the `b` values are suspect, because only these two changes show that `b` is wrong.
 */
export interface LevelShift {
  /** Number of the variable. */
  readonly variable: number;
  /** Time of the first value of the new level, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** Difference from the value before the change, in the variable's unit. */
  readonly change: number;
  /**
   * Time of the first value after the return to the old level, if the next sudden change has the opposite direction and about the
   * same size as `change`. Otherwise null.
   */
  readonly returned: number | null;
}

/**
 * Largest difference of two opposite steps, as a share of the larger step. Steps differ, because weather changes the value too.
 */
export const RETURN_TOLERANCE = 0.35;
/** Values with one of these flags are left out: they do not show on which level the measured values are (see `LevelShift`). */
const ABSENT = FLAG.grossRange | FLAG.spike | FLAG.persistence | FLAG.overridden;

/**
 * Finds the level shifts in rows, in order of time. The flags of the rows must come from the final checks (`recheckRange`), which
 * check a row when the rows before and after it are stored.
 */
export function findLevelShifts({ times, values, flags }: Series): LevelShift[] {
  const shifts: LevelShift[] = [];
  for (const [variable, bytes] of flags) {
    const column = values.get(variable);
    if (column !== undefined) shifts.push(...pairEdges(variable, edgesOf(times, column, bytes)));
  }
  return shifts.sort((a, b) => a.time - b.time || a.variable - b.variable);
}

type Edge = Pick<LevelShift, 'time' | 'change'>;

/** Finds each value that the step check has flagged, if it has flagged neither the value before nor the value after. */
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

function pairEdges(variable: number, edges: readonly Edge[]): LevelShift[] {
  const shifts: LevelShift[] = [];
  for (let index = 0; index < edges.length; index += 1) {
    const edge = edges[index] as Edge;
    const next = edges[index + 1];
    const returned = next !== undefined && isReturn(edge.change, next.change) ? next.time : null;
    shifts.push({ variable, ...edge, returned });
    if (returned !== null) index += 1;
  }
  return shifts;
}

function isReturn(change: number, next: number): boolean {
  return Math.abs(change + next) <= RETURN_TOLERANCE * Math.max(Math.abs(change), Math.abs(next));
}
