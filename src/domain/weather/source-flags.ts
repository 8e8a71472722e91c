import { MILLISECONDS } from '../time.js';

/** What the source of a value says about the value. */
export interface SourceFlag {
  /** The flags as they are in the file, for example `T,,0`; empty if the value has none. */
  readonly text: string;
  /** The check of the source that the value failed, as the reason of a quality override; null if it failed none. */
  readonly failure: string | null;
  /** Number of the import that brought the failure. Absent if the value failed no check, and in a file. */
  readonly import?: number;
}

/** The flag of a value that has no flags and failed no check. */
export const NO_FLAG: SourceFlag = { text: '', failure: null };

/**
 * The flags that one import has brought to a station: for each number of a variable, the flags by the times of the values, in
 * milliseconds since 1970-01-01T00:00:00Z. The layer of a later import is on top of the layers of earlier ones. A value that a
 * later import replaced without flags has `NO_FLAG` there, which hides the flags below.
 */
export type FlagLayer = ReadonlyMap<number, ReadonlyMap<number, SourceFlag>>;

/** The layer of an import, with the number of the import. */
export interface ImportedLayer {
  readonly import: number;
  /** The failures name the import. */
  readonly layer: FlagLayer;
}

/** The flag of each value, from the topmost layer that has the value. @param layers the layers in ascending order of the imports */
export function topFlags(layers: readonly ImportedLayer[]): FlagLayer {
  const [first, ...others] = layers;
  if (others.length === 0) return first?.layer ?? new Map();
  const top = new Map<number, Map<number, SourceFlag>>();
  for (const { layer } of layers)
    for (const [variable, flags] of layer) {
      const known = top.get(variable);
      if (known === undefined) top.set(variable, new Map(flags));
      else for (const [time, flag] of flags) known.set(time, flag);
    }
  return top;
}

/** Whether the source says the same with both flags, whatever import brought them. */
export function areSameFlags(a: SourceFlag, b: SourceFlag): boolean {
  return a.text === b.text && a.failure === b.failure;
}

/** Values of a variable that failed the same check of the source, one value a day without a gap. */
export interface FailedRange {
  readonly variable: number;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly import: number;
}

/** Maximum time in ms between two values of a range: the longest local day. A longer gap may be filled later by a value that is good. */
const MAX_DAY = MILLISECONDS.day + MILLISECONDS.hour;

/** The ranges of values that failed a check of the source, by variable and time. */
export function failedRanges(flags: FlagLayer): readonly FailedRange[] {
  return [...flags].flatMap(([variable, byTime]) => {
    const ranges: { variable: number; from: number; to: number; reason: string; import: number }[] = [];
    let last = -Infinity;
    let open: (typeof ranges)[number] | undefined;
    for (const [time, { failure, import: number = 0 }] of inOrder(byTime)) {
      const isNext =
        open !== undefined && failure === open.reason && number === open.import && time - last <= MAX_DAY;
      if (!isNext) open = undefined;
      if (failure !== null && open === undefined) {
        open = { variable, from: time, to: time, reason: failure, import: number };
        ranges.push(open);
      }
      // The time of the last value is in the range, and the end of a range is not.
      if (open !== undefined) open.to = time + MILLISECONDS.second;
      last = time;
    }
    return ranges;
  });
}

/** The flags in order of time. Most of them are in this order already, because files and stored layers are. */
export function inOrder(byTime: ReadonlyMap<number, SourceFlag>): Iterable<readonly [number, SourceFlag]> {
  let last = -Infinity;
  for (const time of byTime.keys()) {
    if (time < last) return [...byTime].toSorted(([a], [b]) => a - b);
    last = time;
  }
  return byTime;
}
