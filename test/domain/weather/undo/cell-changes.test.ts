import { expect } from 'chai';
import {
  type CellChanges,
  cellClusters,
  changedCells,
  countCells,
  revertCells,
} from '#domain/weather/undo/cell-changes.js';
import { NO_RULES } from '#domain/weather/quality/station-rules.js';
import type { Series } from '#domain/weather/series.js';

const NONE = Number.NaN;
const HOUR = 3_600_000;

function seriesOf(hours: readonly number[], values: Readonly<Record<number, readonly number[]>>): Series {
  const columns = Object.entries(values).map(
    ([variable, column]) => [Number(variable), Float64Array.from(column)] as const,
  );
  return {
    times: Float64Array.from(hours, (hour) => hour * HOUR),
    values: new Map(columns),
    flags: new Map(),
  };
}

/** `hour variable: before → after` for each changed cell. */
function listOf({ times, after, before }: CellChanges): string[] {
  return [...after].flatMap(([variable, column]) =>
    [...column].flatMap((value, row) => {
      if (Number.isNaN(value)) return [];
      const old = before.get(variable)?.[row] ?? NONE;
      return [`${(times[row] ?? 0) / HOUR} ${variable}: ${old} → ${Object.is(value, -0) ? '-0' : value}`];
    }),
  );
}

describe('cell changes', () => {
  const stored = seriesOf([0, 1, 2], { 1: [10, 11, 12], 3: [50, NONE, 52], 9: [0, 0, 0] });

  it('are the sent values that differ from the stored ones', () => {
    const sent = seriesOf([-1, 0, 1, 2], {
      1: [9, 10, NONE, 13],
      3: [NONE, 50, 51, NONE],
      9: [NONE, 0, -0, 0],
      12: [NONE, NONE, NONE, 1],
    });
    const cells = changedCells(stored, sent);
    expect(listOf(cells)).to.deep.equal([
      '-1 1: NaN → 9',
      '2 1: 12 → 13',
      '1 3: NaN → 51',
      '1 9: 0 → -0',
      '2 12: NaN → 1',
    ]);
    // The row whose values are all stored already is missing.
    expect([...cells.times].map((time) => time / HOUR)).to.deep.equal([-1, 1, 2]);
    expect([...cells.before.keys()]).to.deep.equal([1, 9]);
    expect(countCells(cells)).to.deep.equal({ rows: 3, values: 5 });
    expect(countCells(changedCells(stored, stored))).to.deep.equal({ rows: 0, values: 0 });
  });

  it('are split where rows are far apart', () => {
    const cells = changedCells(seriesOf([], {}), seriesOf([0, 2, 5, 6], { 1: [1, 2, 3, 4] }));
    const parts = [...cellClusters(cells, 2 * HOUR)];
    expect(parts.map(listOf)).to.deep.equal([
      ['0 1: NaN → 1', '2 1: NaN → 2'],
      ['5 1: NaN → 3', '6 1: NaN → 4'],
    ]);
    expect([...cellClusters(changedCells(stored, stored), HOUR)]).to.deep.equal([]);
  });

  it('are taken back where the written value is still stored', () => {
    const before = seriesOf([0, 1, 8], { 1: [10, 11, 12], 3: [50, NONE, 52] });
    const cells = changedCells(
      before,
      seriesOf([0, 1, 2, 3], { 1: [20, 21, 22, 23], 3: [50, 51, NONE, NONE] }),
    );
    // 1 h was overwritten, 2 h got another value, 3 h was removed.
    const now = seriesOf([0, 1, 2, 8], { 1: [20, 30, 22, 12], 3: [50, 51, 60, 52] });
    const { series, touched, removed, takenBack, overwritten, span } = revertCells(now, cells, NO_RULES);
    expect(series.times).to.deep.equal(now.times);
    expect([...(series.values.get(1) ?? [])]).to.deep.equal([10, 30, NONE, 12]);
    expect([...(series.values.get(3) ?? [])]).to.deep.equal([50, NONE, 60, 52]);
    expect([...touched]).to.deep.equal([1, 1, 1, 0]);
    expect([...removed]).to.deep.equal([]);
    expect([takenBack, overwritten]).to.deep.equal([
      { rows: 3, values: 3 },
      { rows: 2, values: 2 },
    ]);
    expect(span).to.deep.equal([0, 2 * HOUR]);
    // The stored series is unchanged.
    expect([...(now.values.get(1) ?? [])]).to.deep.equal([20, 30, 22, 12]);
  });

  it('leave no row without a value, and check the rows of the next three hours again', () => {
    const cells = changedCells(seriesOf([], {}), seriesOf([1, 2], { 1: [40, 41] }));
    const now: Series = {
      ...seriesOf([0, 1, 2, 3, 5, 5.5], { 1: [10, 40, 41, 10, 11, 12] }),
      flags: new Map([[1, Uint8Array.of(2, 2, 0, 2, 2, 2)]]),
    };
    const { series, touched, removed } = revertCells(now, cells, NO_RULES);
    expect([...series.times].map((time) => time / HOUR)).to.deep.equal([0, 3, 5, 5.5]);
    expect([...removed].map((time) => time / HOUR)).to.deep.equal([1, 2]);
    expect([...touched]).to.deep.equal([0, 1, 1, 0]);
    expect([...(series.flags.get(1) ?? [])]).to.deep.equal([2, 0, 0, 2]);
  });

  it('that are all overwritten change nothing', () => {
    const cells = changedCells(stored, seriesOf([0], { 1: [20] }));
    const { series, touched, span } = revertCells(stored, cells, NO_RULES);
    expect([series.values.get(1), [...touched], span]).to.deep.equal([
      stored.values.get(1),
      [0, 0, 0],
      undefined,
    ]);
  });
});
