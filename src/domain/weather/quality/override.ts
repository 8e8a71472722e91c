import { FLAG, lowerBound, type Series } from '../series.js';
import type { FailedRange } from '../source-flags.js';

/**
 * A verdict on the values of a variable in a range of times, by an administrator, or by the source from which an import took the
 * values. The override replaces the verdict of the checks.
 */
export interface QualityOverride {
  readonly id: string;
  /** `Station.number`. */
  readonly station: number;
  /** Number of the variable. */
  readonly variable: number;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** `bad` values fail, `good` values pass. */
  readonly verdict: OverrideVerdict;
  readonly reason: string;
  /** Name of the user who added the override, `command line`, or `import 12`; null if the name is unknown. */
  readonly madeBy: string | null;
  /** Time at which the override was added, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly madeAt: number;
}

/**
 * The override of values that failed a check of their source. Its id follows from the range, so that an import that is continued
 * does not add it twice.
 *
 * @param madeAt milliseconds since 1970-01-01T00:00:00Z
 */
export function overrideOf(
  station: number,
  { variable, from, to, reason, import: number }: FailedRange,
  madeAt: number,
): QualityOverride {
  const id = `${OF_IMPORT}${number}-${station}-${variable}-${from}`;
  const madeBy = `import ${number}`;
  return { id, station, variable, from, to, verdict: 'bad', reason, madeBy, madeAt };
}

/** The ids of the overrides of imports begin with this text. Other ids are random. */
const OF_IMPORT = 'import-';

/** Whether an import added the override. */
export function isOfImport({ id }: QualityOverride): boolean {
  return id.startsWith(OF_IMPORT);
}

export const OVERRIDE_VERDICTS = ['bad', 'good'] as const;
export type OverrideVerdict = (typeof OVERRIDE_VERDICTS)[number];

/**
 * The fault of a stored override, as the end of a sentence whose subject is the verdict: `is neither bad nor good: "x"`.
 * Undefined if the override is valid.
 */
export function overrideDamage({ verdict }: QualityOverride): string | undefined {
  if (OVERRIDE_VERDICTS.includes(verdict)) return undefined;
  return `is neither ${OVERRIDE_VERDICTS.join(' nor ')}: ${JSON.stringify(verdict)}`;
}

/**
 * Applies overrides to the flags of checked rows. A damaged override is not applied, because its verdict is unknown.
 *
 * @param overrides if several apply to a value, the last override of a person counts, and without one the last of an import
 */
export function applyOverrides(
  { times, values }: Series,
  flags: Map<number, Uint8Array>,
  overrides: readonly QualityOverride[],
): void {
  const ofPersons = overrides.filter((override) => !isOfImport(override));
  for (const override of [...overrides.filter(isOfImport), ...ofPersons]) {
    if (overrideDamage(override) !== undefined) continue;
    const { variable, from, to, verdict } = override;
    const column = values.get(variable);
    const [first, end] = [lowerBound(times, from), lowerBound(times, to)];
    if (column === undefined || first >= end) continue;
    const bytes = flags.get(variable) ?? new Uint8Array(times.length);
    flags.set(variable, bytes);
    for (let row = first; row < end; row += 1) {
      if (verdict === 'good' || Number.isNaN(column[row])) bytes[row] = 0;
      else bytes[row] = (bytes[row] as number) | FLAG.overridden;
    }
  }
}
