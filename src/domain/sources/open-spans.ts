import { MILLISECONDS } from '../time.js';

/** The distance between two reports of an archive that has only one report in a gap, in milliseconds. */
const DEFAULT_STEP = 15 * MILLISECONDS.minute;
/** How many times the usual distance of the reports two reports may be apart without an open span between them. */
const [STRICT, LAX] = [1.1, 2.5];

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The parts of a gap that the reports of an archive leave open. All times are milliseconds since 1970-01-01T00:00:00Z.
 *
 * @param gap from the last report before the gap to the first one after it
 * @param times of the reports in the gap, in order
 * @param rule.silence milliseconds without a report that are no gap
 * @param rule.step the usual distance of two reports; the median distance in the gap by default
 * @param rule.isStrict whether also a single missing report leaves a span open. Otherwise it takes several.
 */
export function openSpans(
  gap: Span,
  times: readonly number[],
  {
    silence,
    step = usualStep(times) ?? DEFAULT_STEP,
    isStrict,
  }: { readonly silence: number; readonly step?: number; readonly isStrict: boolean },
): readonly Span[] {
  if (times.length === 0) return [{ from: gap.from, to: gap.to }];
  const longest = Math.max(silence, step * (isStrict ? STRICT : LAX));
  const edges = [gap.from, ...times, gap.to];
  return edges.slice(1).flatMap((to, index) => {
    const from = edges[index] as number;
    return to - from > longest ? [{ from, to }] : [];
  });
}

/**
 * The time at which the next report is due, if the distance stays the usual one.
 *
 * @param times of the reports, in order, in milliseconds since 1970-01-01T00:00:00Z
 * @returns -Infinity for fewer than three reports
 */
export function nextTime(times: readonly number[]): number {
  const last = times.at(-1);
  const step = usualStep(times);
  return last === undefined || step === undefined || times.length < 3 ? -Infinity : last + step;
}

/** The median distance of the reports; undefined for fewer than two reports. */
function usualStep(times: readonly number[]): number | undefined {
  const steps = times.slice(1).map((time, index) => time - (times[index] as number));
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)];
}
