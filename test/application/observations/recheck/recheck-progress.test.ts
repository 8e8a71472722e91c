import { expect } from 'chai';
import { BeginImport } from '#application/observations/imports/begin-import.js';
import { EndImport } from '#application/observations/imports/end-import.js';
import { ListImports } from '#application/observations/imports/list-imports.js';
import { UndoImport } from '#application/observations/imports/undo-import.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { RecheckProgress } from '#application/observations/recheck/recheck-progress.js';
import { catchUp } from '../../../support/recheck.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

describe('RecheckProgress', () => {
  let world: World;
  let recheck: RecheckObservations;
  let progress: RecheckProgress;
  beforeEach(async () => {
    world = await World.make();
    for (const id of ['JFK', 'LGA']) await addStation(world, { id });
    recheck = world.get(RecheckObservations);
    progress = world.get(RecheckProgress);
    await catchUp(recheck);
  });

  const write = async (station: string, from: number, rows: number, importNumber?: number) => {
    const times = Float64Array.from({ length: rows }, (_, row) => START + (from + row) * HOUR);
    const columns = sentColumns({ air_temperature: Array.from({ length: rows }, (_, row) => row % 7) });
    const sent = { stations: station, times, columns };
    await world.get(RecordObservations).execute(sent, CALLER, { ...(importNumber && { importNumber }) });
  };

  it('counts each row once that waits, and the rows that are left of some ranges', async () => {
    await write('JFK', 0, 100);
    await write('LGA', 0, 10);
    expect(await progress.backlog()).to.deep.equal({ ranges: 0, rows: 0 });
    const ranges = await progress.pendingOf([1, 2]);
    expect(await progress.backlog()).to.deep.equal({ ranges: 2, rows: 110 });
    expect(await progress.pendingOf([2])).to.deep.equal(ranges.slice(1));
    const at = (from: number, to: number) => ({ from: START + from * HOUR, to: START + to * HOUR });
    await world.stores.recheck.request([
      { station: 1, ...at(50, 100), spreads: true },
      { station: 2, ...at(500, 600), spreads: true },
      { station: 99, ...at(0, 10), spreads: true },
    ]);
    // Without the request of the unknown station 99.
    expect(await progress.backlog()).to.deep.equal({ ranges: 4, rows: 110 });
    expect(await progress.rowsLeft(ranges)).to.equal(110);
    expect(await progress.rowsLeft([{ station: 1, ...at(90, 300) }])).to.equal(10);
    expect(await progress.rowsLeft([{ station: 2, ...at(20, 30) }])).to.equal(0);
    await catchUp(recheck);
    expect(await progress.rowsLeft(ranges)).to.equal(0);
    // Later rows of the station do not belong to the ranges.
    await write('JFK', 300, 5);
    await progress.pendingOf([1]);
    expect(await progress.rowsLeft(ranges)).to.equal(0);
  });

  it('tells which share of the rows of a station is checked, and counts the newest rows as checked', async () => {
    const recorded = async (from: number, rows: number) => {
      await write('JFK', from, rows);
      await progress.pendingOf([1]);
      return await progress.checkedShare(1);
    };
    expect(await progress.checkedShare(1)).to.equal(1);
    expect(await progress.checkedShare(99)).to.equal(1);
    expect(await recorded(0, 100)).to.equal(0);
    await catchUp(recheck);
    expect(await progress.checkedShare(1)).to.equal(1);
    expect(await recorded(100, 20), 'less than a day').to.equal(1);
    expect(await recorded(120, 180)).to.be.within(0.32, 0.34);
    const [range] = await world.stores.recheck.pending([1]);
    expect(range).not.to.equal(undefined);
    expect(await progress.checkedShare(2)).to.equal(1);
    await catchUp(recheck);
    await world.stores.recheck.request([{ station: 1, from: START, to: START + 30 * HOUR, spreads: true }]);
    expect(await progress.checkedShare(1)).to.equal(0.9);
    await world.stores.recheck.request([{ station: 1, from: START, to: START + 29 * HOUR, spreads: true }]);
    expect(await progress.checkedShare(1), 'rows that wait twice').to.equal(0.9);
    await catchUp(recheck);
    await write('JFK', 300, 9000);
    await catchUp(recheck);
    await world.stores.recheck.request([{ station: 1, from: START, to: START + 24 * HOUR, spreads: true }]);
    expect(await progress.checkedShare(1), 'a few of many rows').to.equal(0.99);
    // The request of a new station contains all times, and its rows are of an hour.
    await write('LGA', 0, 2);
    await world.stores.recheck.request([{ station: 2, from: -8.64e15, to: 8.64e15, spreads: true }]);
    expect(await progress.checkedShare(2), 'a new station').to.equal(1);
  });

  it('tells which share of the rows of each import is checked', async () => {
    const list = world.get(ListImports);
    const shares = async () => (await list.execute(9)).map(({ checked }) => checked).toReversed();
    const number = await world.get(BeginImport).execute('a', 'a.csv');
    const other = await world.get(BeginImport).execute('b', 'b.csv');
    expect(await shares()).to.deep.equal([null, null]);
    await write('JFK', 0, 200, number);
    expect(await shares()).to.deep.equal([null, null]);
    await world.get(EndImport).execute(number);
    expect(await shares()).to.deep.equal([0, null]);
    await catchUp(recheck);
    expect(await shares()).to.deep.equal([1, null]);
    await write('LGA', 0, 50, other);
    await world.get(EndImport).execute(other);
    expect(await shares()).to.deep.equal([1, 0]);
    await world.stores.recheck.request([{ station: 1, from: START, to: START + 50 * HOUR, spreads: false }]);
    expect(await shares()).to.deep.equal([0.75, 0]);
    expect((await list.find(number))?.checked).to.equal(0.75);
    await world.get(UndoImport).execute(other, CALLER);
    await catchUp(recheck);
    expect(await shares()).to.deep.equal([1, null]);
  });
});
