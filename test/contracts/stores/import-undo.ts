import { expect } from 'chai';
import type { ImportRecord } from '#application/ports/import-log.js';
import type { Stores } from '#application/ports/stores.js';
import { FLAG, type ObservationBatch } from '#domain/weather/series.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;

type Row = readonly [station: number, hour: number, values: Readonly<Record<number, number>>];

/** The rules for undoing imports in every store. */
export function importUndoContract(opened: () => Stores): void {
  let stores: Stores;
  let a: number;
  let b: number;
  let number: number;

  beforeEach(async () => {
    stores = opened();
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
    number = await stores.importLog.begin('key', 'rows.csv', 1);
  });

  const write = (rows: readonly Row[], importNumber?: number) =>
    stores.observations.write([
      { batch: batchOf(rows), ...(importNumber !== undefined && { importNumber }) },
    ]);
  /** Merges the runs of SQLite into chunks. */
  const merge = async () => {
    await (stores.observations as { merge?(): Promise<void> }).merge?.();
  };
  const record = async () => (await stores.importLog.find(number)) as ImportRecord;
  const undo = async (which = number) => {
    await stores.importLog.beginUndo(which, 2);
    /** First and last changed hour, by station. */
    const changed = new Map<string, [number, number]>();
    for (;;) {
      const { isDone, changes } = await stores.observations.undo(which);
      for (const [index, station] of changes.stations.entries()) {
        const name = station === a ? 'a' : 'b';
        const [first, last] = changed.get(name) ?? [Infinity, -Infinity];
        const hour = (time: number | undefined) => ((time ?? 0) - START) / HOUR;
        changed.set(name, [
          Math.min(first, hour(changes.from[index])),
          Math.max(last, hour(changes.to[index])),
        ]);
        const [newest] = await stores.observations.newest([station]);
        expect(newest?.revision).to.equal(String(changes.revisions[index]));
      }
      if (isDone) return [...changed].toSorted(([one], [other]) => one.localeCompare(other));
    }
  };
  /** Rows as `[station, hour, values]`. */
  const readAll = async () => {
    const rows: Row[] = [];
    for await (const batch of stores.observations.read({ from: -8.64e15, to: 8.64e15 })) {
      for (const [row, time] of batch.times.entries()) {
        const values = [...batch.values].map(([variable, column]) => [variable, column[row]] as const);
        const present = values.filter(([, value]) => !Number.isNaN(value));
        rows.push([
          batch.stations[row] as number,
          (time - START) / HOUR,
          Object.fromEntries(present) as Row[2],
        ]);
      }
    }
    return rows;
  };
  const flags = async () => {
    const found: string[] = [];
    for await (const batch of stores.observations.read({ from: -8.64e15, to: 8.64e15 }))
      for (const [variable, column] of batch.flags)
        for (const [row, flag] of column.entries())
          if (flag !== 0) found.push(`${((batch.times[row] ?? 0) - START) / HOUR}h ${variable}: ${flag}`);
    return found.toSorted();
  };

  const layouts: readonly (readonly [where: string, first: boolean, second: boolean])[] = [
    ['in new rows', false, false],
    ['in merged and in new rows', true, false],
    ['in merged rows', true, true],
  ];
  for (const [where, first, second] of layouts) {
    it(`gives values back, and removes those that were not there, ${where}`, async () => {
      const before: Row[] = [
        [a, 0, { 1: 5, 3: 50 }],
        [a, 1, { 1: 6 }],
        [b, 30, { 1: 1 }],
      ];
      await write(before);
      if (first) await merge();
      await write(
        [
          [a, -1, { 1: 4 }],
          [a, 0, { 1: 7, 3: 50 }],
          [a, 1, { 3: 60, 1: 6 }],
          [a, 40, { 1: 8, 7: 300 }],
          [b, 30, { 1: -0 }],
        ],
        number,
      );
      if (second) await merge();
      expect(await record()).to.deep.include({ rows: 5, stations: [a, b], isForgotten: false, undo: null });
      expect((await record()).bytes).to.be.within(50, 500);
      const revisions = async () =>
        (await stores.observations.newest([a, b])).map(({ revision }) => revision);
      const [revisionA, revisionB] = await revisions();
      expect(await undo()).to.deep.equal([
        ['a', [-1, 40]],
        ['b', [30, 30]],
      ]);
      expect(await readAll()).to.deep.equal(before);
      expect(await revisions())
        .not.to.include(revisionA)
        .and.not.to.include(revisionB);
      const [newest] = await stores.observations.newest([a]);
      const values = [...(newest?.values ?? [])].map(([variable, { time, value }]) => {
        return `${variable}: ${value} ${(time - START) / HOUR}h`;
      });
      expect([newest?.lastSeen, ...values]).to.deep.equal([START + HOUR, '1: 6 1h', '3: 50 0h']);
      expect(await stores.observations.inventory([a, b])).to.deep.equal([
        { first: START, last: START + HOUR, count: 2, variables: [1, 3] },
        { first: START + 30 * HOUR, last: START + 30 * HOUR, count: 1, variables: [1] },
      ]);
      expect((await record()).undo?.counts).to.deep.equal({
        takenBack: { rows: 5, values: 6 },
        removed: 2,
        overwritten: { rows: 0, values: 0 },
        withoutStation: { rows: 0, values: 0 },
        unreadable: 0,
      });
      expect((await record()).bytes).to.equal(0);
    });
  }

  it('leaves nothing of a station that had no rows before', async () => {
    await write([[a, 0, { 1: 5 }]], number);
    await undo();
    const [newest] = await stores.observations.newest([a]);
    expect([newest?.lastSeen, newest?.values.size]).to.deep.equal([null, 0]);
    const none = { first: null, last: null, count: 0, variables: [] };
    expect(await stores.observations.inventory([a])).to.deep.equal([none]);
    await write([[a, 0, { 1: 6 }]]);
    expect(await readAll()).to.deep.equal([[a, 0, { 1: 6 }]]);
  });

  it('leaves values that have been overwritten since, and the rest of their rows', async () => {
    await write(
      [
        [a, 0, { 1: 5, 3: 50 }],
        [a, 1, { 1: 6 }],
        [a, 2, { 1: 7 }],
      ],
      number,
    );
    await write([
      [a, 0, { 1: 4 }],
      [a, 1, { 7: 200 }],
      [a, 2, { 1: 7.5 }],
    ]);
    await undo();
    expect(await readAll()).to.deep.equal([
      [a, 0, { 1: 4 }],
      [a, 1, { 7: 200 }],
      [a, 2, { 1: 7.5 }],
    ]);
    const counts = (await record()).undo?.counts;
    expect(counts?.takenBack).to.deep.equal({ rows: 2, values: 2 });
    expect([counts?.removed, counts?.overwritten]).to.deep.equal([0, { rows: 2, values: 2 }]);
  });

  it('undoes several writes of an import newest first, and other imports not at all', async () => {
    const other = await stores.importLog.begin(undefined, 'other.csv', 1);
    await write([[a, 0, { 1: 5 }]]);
    await write([[a, 0, { 1: 6 }]], number);
    await write([[a, 1, { 1: 9 }]], other);
    await write([[a, 0, { 1: 7 }]], number);
    await undo();
    expect(await readAll()).to.deep.equal([
      [a, 0, { 1: 5 }],
      [a, 1, { 1: 9 }],
    ]);
    await undo(other);
    expect(await readAll()).to.deep.equal([[a, 0, { 1: 5 }]]);
  });

  it('keeps the changes of each import apart if two write in one commit', async () => {
    const other = await stores.importLog.begin(undefined, 'other.csv', 1);
    await stores.observations.write([
      { batch: batchOf([[a, 0, { 1: 5 }]]), importNumber: number },
      { batch: batchOf([[a, 1, { 1: 6 }]]) },
      { batch: batchOf([[b, 0, { 1: 7 }]]), importNumber: other },
    ]);
    await undo();
    expect(await readAll()).to.deep.equal([
      [a, 1, { 1: 6 }],
      [b, 0, { 1: 7 }],
    ]);
    expect((await stores.importLog.find(other))?.rows).to.equal(1);
  });

  it('leaves the rows of removed stations and counts them', async () => {
    await write(
      [
        [a, 0, { 1: 5, 3: 50 }],
        [b, 0, { 1: 6 }],
      ],
      number,
    );
    await stores.stations.hide('a', 5);
    await undo();
    const counts = (await record()).undo?.counts;
    expect(counts?.withoutStation).to.deep.equal({ rows: 1, values: 2 });
    expect(counts?.takenBack).to.deep.equal({ rows: 1, values: 1 });
    await stores.stations.restore('a');
    expect(await readAll()).to.deep.equal([[a, 0, { 1: 5, 3: 50 }]]);
  });

  it('checks the rows again that an import has influenced', async () => {
    await write([[a, 0, { 1: 10 }]]);
    await merge();
    await write(
      [
        [a, 1, { 1: 20 }],
        [a, 2, { 1: 30, 2: 20 }],
      ],
      number,
    );
    await write([
      [a, 2, { 2: 32 }],
      [a, 2.5, { 1: 0 }],
      [a, 4, { 1: 12 }],
      [a, 4.5, { 1: 45 }],
    ]);
    const before = await flags();
    expect(before).to.include(`2h 2: ${FLAG.consistency}`).and.to.include(`2.5h 1: ${FLAG.step}`);
    await undo();
    expect(await readAll()).to.deep.equal([
      [a, 0, { 1: 10 }],
      [a, 2, { 2: 32 }],
      [a, 2.5, { 1: 0 }],
      [a, 4, { 1: 12 }],
      [a, 4.5, { 1: 45 }],
    ]);
    expect(await flags()).to.deep.equal([`4.5h 1: ${FLAG.step}`]);
    // The next values are compared with the last one that has passed.
    await write([[a, 5, { 1: 36 }]]);
    expect(await flags()).to.deep.equal([`4.5h 1: ${FLAG.step}`, `5h 1: ${FLAG.step}`]);
  });

  it('refuses changes by an import that has ended or is undone, as a whole', async () => {
    const other = await stores.importLog.begin(undefined, 'other.csv', 1);
    await stores.importLog.end(other, 2);
    await stores.importLog.beginUndo(number, 2);
    for (const closed of [number, other, 99]) {
      const failure = await write([[a, 0, { 1: 5 }]], closed).catch((error: unknown) => error);
      expect(failure).to.have.property('code', 'REQUEST_INVALID');
    }
    expect(await readAll()).to.deep.equal([]);
    await write([[a, 0, { 1: 6 }]]);
    // Another process that imports the same file may end first.
    await write([[a, 0, { 1: 6 }]], other);
    expect(await readAll()).to.deep.equal([[a, 0, { 1: 6 }]]);
  });

  it('is done with the last part', async () => {
    for (const hour of [0, 1]) await write([[a, hour, { 1: 5 }]], number);
    await stores.importLog.beginUndo(number, 2);
    let isDone = false;
    while (!isDone) {
      ({ isDone } = await stores.observations.undo(number));
      expect(isDone).to.equal((await readAll()).length === 0);
    }
  });

  it('has nothing left to undo afterwards', async () => {
    await write([[a, 0, { 1: 5 }]], number);
    await undo();
    await write([[a, 0, { 1: 5 }]]);
    expect(await undo()).to.deep.equal([]);
    expect(await undo(99)).to.deep.equal([]);
    expect(await readAll()).to.deep.equal([[a, 0, { 1: 5 }]]);
  });
}

function batchOf(rows: readonly Row[]): ObservationBatch {
  const variables = new Set(rows.flatMap(([, , values]) => Object.keys(values).map(Number)));
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, hour]) => START + hour * HOUR),
    values: new Map(
      [...variables].map((variable) => [
        variable,
        Float64Array.from(rows, ([, , values]) => values[variable] ?? Number.NaN),
      ]),
    ),
    flags: new Map(),
  };
}
