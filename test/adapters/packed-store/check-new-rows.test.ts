import { expect } from 'chai';
import fc from 'fast-check';
import { mergeAll } from '#domain/weather/merge-series.js';
import { checkBetween } from '#domain/weather/quality/check-between.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { FLAG, type Series } from '#domain/weather/series.js';
import { StationState } from '#domain/weather/station-state.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { checkNewRows } from '#adapters/packed-store/check-new-rows.js';
import { JFK } from '../../contracts/stores/station-store.js';

const START = Date.UTC(2024, 0, 1);
const TWENTY_MINUTES = 1_200_000;
const STATION = 1;
/** Air and soil temperature: both have a step check, and no check compares them with each other. */
const VARIABLES = [1, 17];
const RULES = rulesOf(JFK);

interface Cell {
  readonly value: number;
  readonly flag: number;
}

/** `cells` has a cell for each of `VARIABLES`. */
interface Row {
  readonly step: number;
  readonly cells: readonly Cell[];
}

/** @param flagged whether the rows have their flags already */
function seriesOf(rows: readonly Row[], flagged: boolean): Series & { flags: Map<number, Uint8Array> } {
  const sorted = rows.toSorted((one, other) => one.step - other.step);
  const columns = VARIABLES.map((variable, index) => {
    const cells = sorted.map((row) => row.cells[index] as Cell);
    return { variable, cells };
  }).filter(({ cells }) => cells.some(({ value }) => !Number.isNaN(value)));
  return {
    times: Float64Array.from(sorted, ({ step }) => START + step * TWENTY_MINUTES),
    values: new Map(
      columns.map(({ variable, cells }) => [variable, Float64Array.from(cells, ({ value }) => value)]),
    ),
    flags: new Map(
      columns
        .filter(() => flagged)
        .map(({ variable, cells }) => [
          variable,
          Uint8Array.from(cells, ({ value, flag }) => (Number.isNaN(value) ? 0 : flag)),
        ]),
    ),
  };
}

function runOf(id: number, rows: readonly Row[]): Run {
  const key = [0, id] as const;
  return new Run(id, key, encodeRun(key, [{ station: STATION, from: 0, inserted: 0 }], seriesOf(rows, true)));
}

/** The flags of each variable that has any, as text. */
const flagsOf = ({ flags }: Series): string[] =>
  [...flags]
    .filter(([, bytes]) => bytes.some((flag) => flag !== 0))
    .map(([variable, bytes]) => `${variable}: ${bytes.join()}`)
    .sort();

describe('checkNewRows', () => {
  const cell = fc.record({
    value: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(0, 40) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    ),
    flag: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constant(FLAG.step) },
    ),
  });
  const row = fc
    .record({ step: fc.nat(14), cells: fc.tuple(cell, cell) })
    .filter(({ cells }) => cells.some(({ value }) => !Number.isNaN(value)));
  const rows = (minLength: number, maxLength: number) =>
    fc.uniqueArray(row, { minLength, maxLength, selector: ({ step }) => step });

  it('checks rows as with all stored rows, or not at all, wherever the stored rows are', () => {
    let [checked, late] = [0, 0];
    fc.assert(
      fc.property(rows(0, 4), fc.array(rows(1, 2), { maxLength: 5 }), rows(1, 3), (chunk, commits, sent) => {
        const stored = [seriesOf(chunk, true), ...commits.map((commit) => seriesOf(commit, true))];
        const state = new StationState();
        for (const series of stored) state.advance(series);
        const chunksEnd = stored[0]?.times.at(-1) ?? -Infinity;
        const [found, expected] = [seriesOf(sent, false), seriesOf(sent, false)];
        const group = { station: STATION, from: 0, to: sent.length, distinct: true };
        const cached = { state, chunksEnd, revision: 0, seen: 0, oldest: 0, rows: 0, first: 0 };
        const runs = commits.map((commit, index) => runOf(index + 1, commit));
        const unchecked = { uncheckedFrom: Infinity, uncheckedTo: -Infinity };
        const isLate = (found.times[0] as number) <= state.lastSeen;
        if (!checkNewRows(found, group, { ...cached, ...unchecked }, RULES, runs)) {
          expect(flagsOf(found)).to.deep.equal([]);
          return;
        }
        checked += 1;
        if (isLate) late += 1;
        expect(checkBetween(expected, 0, sent.length, mergeAll(stored), RULES)).to.equal(true);
        expect(flagsOf(found)).to.deep.equal(flagsOf(expected));
      }),
      { numRuns: 3000 },
    );
    // Otherwise the property says nothing about late rows.
    expect(late).to.be.within(50, checked);
  });
});
