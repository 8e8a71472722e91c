import { expect } from 'chai';
import { closedImport, UndoTotal } from '#domain/weather/undo/undo-counts.js';

describe('what an undo has done', () => {
  it('is added up over its parts, from those of before on', () => {
    const tally = new UndoTotal();
    const part = (rows: number) => ({
      takenBack: { rows, values: 2 * rows },
      overwritten: { rows: 10 * rows, values: 20 * rows },
      removed: new Float64Array(rows),
    });
    tally.addReverted(part(1) as never);
    tally.addReverted(part(2) as never);
    const cells = {
      times: Float64Array.of(1, 2),
      after: new Map([[1, Float64Array.of(3, 4)]]),
      before: new Map(),
    };
    tally.addWithoutStation(cells);
    tally.addWithoutStation(cells);
    tally.addUnreadable(5);
    tally.addUnreadable(6);
    const expected = {
      takenBack: { rows: 3, values: 6 },
      overwritten: { rows: 30, values: 60 },
      removed: 3,
      withoutStation: { rows: 4, values: 4 },
      unreadable: 11,
    };
    expect(tally.counts).to.deep.include(expected);
    const next = new UndoTotal(tally.counts);
    next.addUnreadable(1);
    expect(next.counts).to.deep.include({ ...expected, unreadable: 12 });
    expect(closedImport()).to.have.property('code', 'REQUEST_INVALID');
  });
});
