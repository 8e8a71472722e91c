/**
 * The kind of a station that `weatherd demo` has made. A station of the kind `measured` keeps the times of the recording. The
 * times of a station of the kind `live` are moved, so that its values seem to be measured now.
 */
export type DemoKind = 'measured' | 'live';

/** The mark of a station that `weatherd demo` has made; empty for other stations. */
interface DemoMark {
  readonly demo?: DemoKind;
}

/** The year of the recording from which the demo is made. */
export const RECORDED_YEAR = 2013;

export function isDemoKind(value: unknown): value is DemoKind {
  return value === 'measured' || value === 'live';
}

/** The year in which the values of a station were recorded, if their times are moved; undefined for all other stations. */
export function recordedYear({ demo }: DemoMark): number | undefined {
  return demo === 'live' ? RECORDED_YEAR : undefined;
}

/**
 * Whether the values of two stations may be compared. Stations of the demo are apart from all others,
 * because their weather is not the weather of their time.
 */
export function areComparable(a: DemoMark, b: DemoMark): boolean {
  return a.demo === b.demo;
}

/** Whether a station belongs to "all stations", to which a hook or an alarm can refer. Stations of the demo do not. */
export function isAmongAll({ demo }: DemoMark): boolean {
  return demo === undefined;
}
