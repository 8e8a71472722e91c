import type { Series } from '#domain/weather/series.js';
import { SnapshotState, type NewestValue, StationState } from '#domain/weather/station-state.js';
import { isVariable, variableNumbered } from '#domain/weather/variables.js';
import type { CachedState } from '../station-states.js';

/** Totals and newest values of a station, computed from its rows. */
export class TotalsCheck {
  readonly #state = new StationState();
  #rows = 0;
  #first = Infinity;

  /** Adds rows. Rows must be added in order of time. */
  add(series: Series): void {
    if (series.times.length === 0) return;
    this.#first = Math.min(this.#first, series.times[0] as number);
    this.#rows += series.times.length;
    this.#state.advance(series);
  }

  /** Times of the oldest and the newest row; null without rows. */
  get span(): { readonly first: number | null; readonly last: number | null } {
    return { first: timeOf(this.#first), last: timeOf(this.#state.lastSeen) };
  }

  /** The differences from the stored totals. */
  differences({ rows, first, state, isDamaged = false }: CachedState): string[] {
    if (isDamaged) return ['the checksum of the stored totals and newest values is wrong'];
    const found: string[] = [];
    const note = (what: string, stored: string | number, expected: string | number) => {
      if (stored !== expected) found.push(`the stored ${what} is ${stored} instead of ${expected}`);
    };
    note('number of rows', rows, this.#rows);
    note('first time', textOf(first), textOf(this.#first));
    note('last time', textOf(state.lastSeen), textOf(this.#state.lastSeen));
    const [stored, expected] = [valuesOf(state), valuesOf(this.#state)];
    for (const variable of new Set([...stored.keys(), ...expected.keys()])) {
      const name = isVariable(variable) ? variableNumbered(variable).name : `variable ${variable}`;
      note(`newest ${name}`, valueText(stored.get(variable)), valueText(expected.get(variable)));
    }
    return found;
  }
}

function valuesOf(state: StationState): ReadonlyMap<number, NewestValue> {
  return new SnapshotState(state.data, 0, '').values;
}

function valueText(value: NewestValue | undefined): string {
  if (value === undefined) return 'none';
  const sign = Object.is(value.value, -0) ? '-' : '';
  const flags = value.flags === 0 ? '' : `, flags ${value.flags}`;
  return `${sign}${value.value} of ${textOf(value.time)}${flags}`;
}

function timeOf(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

function textOf(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : 'none';
}
