import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { JFK } from './station-store.js';
import type { ImportLog, ImportRecord } from '#application/ports/import-log.js';

/** The rules for every ImportLog. */
export function importLogContract(opened: () => Stores): void {
  let log: ImportLog;
  beforeEach(() => (log = opened().importLog));

  it('returns the line that was noted last, separately for each import', async () => {
    expect(await log.lastLine('a')).to.equal(0);
    await log.note('a', 10_000);
    await log.note('b', 7);
    await log.note('a', 2 ** 40);
    expect([await log.lastLine('a'), await log.lastLine('b'), await log.lastLine('c')]).to.deep.equal([
      2 ** 40,
      7,
      0,
    ]);
  });

  it('removes an import, repeatedly too, and begins it again', async () => {
    await log.note('a', 5);
    await log.note('b', 6);
    await log.forget('a');
    await log.forget('a');
    expect([await log.lastLine('a'), await log.lastLine('b')]).to.deep.equal([0, 6]);
    await log.note('a', 1);
    expect(await log.lastLine('a')).to.equal(1);
  });

  describe('of numbered imports', () => {
    const entries = async () =>
      (await log.list(10)).map(({ number, file, isForgotten }) => [number, file, isForgotten]);

    it('continues an import that has not ended under its number', async () => {
      const first = await log.begin('a', 'a.csv', 1000);
      expect(await log.begin('a', 'a.csv', 2000)).to.equal(first);
      const second = await log.begin('b', 'b\u0000.csv', 2000);
      expect(second).to.equal(first + 1);
      expect((await log.find(second))?.file).to.equal('b.csv');
      await log.end(first, 3000);
      const third = await log.begin('a', 'a.csv', 4000);
      expect(third).to.be.greaterThan(second);
      expect(await log.begin(undefined, '-', 5000)).to.be.greaterThan(third);
      expect(await log.begin(undefined, '-', 5000)).to.be.greaterThan(third + 1);
      expect(await log.find(first)).to.deep.equal({
        number: first,
        file: 'a.csv',
        startedAt: 1000,
        endedAt: 3000,
        stations: [],
        rows: 0,
        bytes: 0,
        isForgotten: false,
        undo: null,
      });
      expect(await log.find(99)).to.equal(undefined);
    });

    it('adds stations to an import, each once', async () => {
      const made = await opened().stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
      const [a = 0, b = 0] = made.map(({ station }) => station.number);
      const number = await log.begin('a', 'a.csv', 1);
      await log.addStations(number, [b]);
      await log.addStations(number, [a, b]);
      await log.addStations(number, []);
      expect((await log.find(number))?.stations).to.deep.equal([a, b]);
    });

    it('lists the newest imports first', async () => {
      const numbers = [];
      for (const file of ['a', 'b', 'c']) numbers.push(await log.begin(undefined, file, 1));
      expect((await log.list(2)).map(({ number }) => number)).to.deep.equal(numbers.toReversed().slice(0, 2));
      expect(await log.list(10)).to.have.length(3);
    });

    it('removes the progress of an import that is undone, so that it begins anew under another number', async () => {
      const number = await log.begin('a', 'a.csv', 1);
      await log.note('a', 10_000);
      await log.beginUndo(number, 2);
      expect(await log.lastLine('a')).to.equal(0);
      // From the import, which still runs.
      await log.note('a', 20_000);
      expect(await log.lastLine('a')).to.equal(0);
      const begun = (await log.find(number))?.undo;
      expect([begun?.startedAt, begun?.endedAt]).to.deep.equal([2, null]);
      await log.beginUndo(number, 3);
      await log.endUndo(number, 4);
      const ended = (await log.find(number))?.undo;
      expect([ended?.startedAt, ended?.endedAt, ended?.counts.removed]).to.deep.equal([2, 4, 0]);
      expect(await log.begin('a', 'a.csv', 5)).to.be.greaterThan(number);
      await log.note('a', 30_000);
      expect(await log.lastLine('a')).to.equal(30_000);
      await log.beginUndo(99, 1);
    });

    it('finds, ends and undoes nothing under a number that no import can have', async () => {
      expect(await log.find(2 ** 40)).to.equal(undefined);
      for (const change of ['end', 'beginUndo', 'endUndo'] as const) await log[change](2 ** 40, 1);
      expect(await log.list(10)).to.deep.equal([]);
    });

    it('forgets old imports, and the oldest of large ones but never the newest', async () => {
      const { observations, stations } = opened();
      const [made] = await stations.put([JFK]);
      const station = made?.station.number ?? 0;
      const numbers: number[] = [];
      for (const [index, time] of [1000, 2000, 3000, 4000].entries()) {
        const importNumber = await log.begin(`${index}`, `${index}.csv`, time);
        const batch = {
          stations: Uint32Array.of(station),
          times: Float64Array.of(index * 60_000),
          values: new Map([[1, Float64Array.of(index)]]),
          flags: new Map(),
        };
        await observations.write([{ batch, importNumber }]);
        numbers.push(importNumber);
      }
      const [zero, one, two, three] = numbers as [number, number, number, number];
      await log.prune({ since: 2000, bytes: 1e9, records: 10 });
      expect(await entries()).to.deep.equal([
        [three, '3.csv', false],
        [two, '2.csv', false],
        [one, '1.csv', false],
        [zero, '0.csv', true],
      ]);
      expect([(await log.find(zero))?.rows, (await log.find(zero))?.bytes]).to.deep.equal([1, 0]);
      // Its rows are written all the same, under another number when it is continued.
      expect(await log.begin('0', '0.csv', 5000)).to.be.greaterThan(three);
      const { bytes } = (await log.find(three)) as ImportRecord;
      await log.prune({ since: 0, bytes: bytes + 1, records: 10 });
      expect((await log.find(two))?.isForgotten).to.equal(false);
      expect((await log.find(one))?.isForgotten).to.equal(true);
      await log.prune({ since: 0, bytes: 1, records: 2 });
      expect((await entries()).map(([, file, isForgotten]) => [file, isForgotten])).to.deep.equal([
        ['0.csv', false],
        ['3.csv', false],
      ]);
      await log.beginUndo(one, 9);
      expect(await observations.undo(one)).to.deep.include({ isDone: true });
    });
  });
}
