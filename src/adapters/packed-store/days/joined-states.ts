import type { Inventory } from '#application/ports/observation-store.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import type { DamagedSpan } from '#domain/weather/damaged-data.js';
import { DESCRIBED, joinStates } from '#domain/weather/station-state.js';
import type { Loss } from '../damage.js';
import { type CachedState, inventoryOf, lossOfState, type Runs } from '../station-states.js';
import { DAILY_SERIES, dailySeriesOf, type Halves } from './daily-series.js';

/** The states of the two series of a station. `days` is undefined if the station never had daily values. */
export interface JoinedState extends Halves<CachedState | undefined> {
  readonly reports: CachedState;
}

/** Whether one of the runs has daily values. A run has the rows of one commit. */
export function haveDays(runs: readonly Run[]): boolean {
  return runs.some(({ stations }) => (stations.at(-1) ?? 0) >= DAILY_SERIES);
}

export function joinedState(
  states: { of(series: number, runs: Runs): CachedState },
  station: number,
  runs: Runs,
): JoinedState {
  const reports = states.of(station, runs);
  const days = runs.hasDays ? states.of(dailySeriesOf(station), runs) : undefined;
  // The state of a series that never had rows has the revision 0.
  return { reports, days: days !== undefined && (days.revision > 0 || days.isDamaged) ? days : undefined };
}

/**
 * The revision of a station. Both series of a station get their revisions from the same counter, so the higher revision changes
 * with every change of the station.
 */
export function revisionOf({ reports, days }: JoinedState): number {
  return Math.max(reports.revision, days?.revision ?? 0);
}

/** The times at which rows of a station may be missing; see `lossOfState`. */
export function lossOfBoth({ reports, days }: JoinedState, loss: Loss | undefined): Loss | undefined {
  const own = lossOfState(reports, loss);
  return days === undefined ? own : lossOfState(days, own);
}

/** The newest values of a station, as the first `DESCRIBED` numbers of `StationState.data`. May be a view of a state. */
export function describedState({ reports, days }: JoinedState): Float64Array {
  return days === undefined
    ? reports.state.data.subarray(0, DESCRIBED)
    : joinStates(reports.state, days.state);
}

/** The inventory of a station. @param damaged range of times with damaged rows */
export function joinedInventory({ reports, days }: JoinedState, damaged?: DamagedSpan): Inventory {
  const own = inventoryOf(reports, damaged);
  if (days === undefined) return own;
  const ofDays = inventoryOf(days);
  if (own.isUnknown || ofDays.isUnknown) return { ...own, isUnknown: true };
  const { first, last, count } = ofDays;
  if (count === 0) return own;
  const variables = [...own.variables, ...ofDays.variables].sort((a, b) => a - b);
  const totals = { first, last, count };
  return { ...own, ...(own.count === 0 && totals), variables, days: totals };
}
