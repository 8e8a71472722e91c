import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { RawStore } from '../../support/raw-store.js';
import { domainErrorOf } from '../../support/rejection.js';
import { WATCH } from '../../support/verify-watch.js';
import { hourlyRows } from './erase.js';
import { JFK } from './station-store.js';

/** The time of hour 0 of `hourlyRows`, and its UTC day. */
const START = Date.UTC(2024, 1, 28);
const DAY = START / 86_400_000;

/** No row of a table is taken for one of another key, for every store with tables. */
export function keyedRowsContract(
  opened: () => Stores,
  reopen: () => Promise<void>,
  raw: () => RawStore,
): void {
  let numbers: number[];
  const at = (index: number) => numbers[index] as number;
  const merge = () => (opened().observations as unknown as { merge(): Promise<void> }).merge();
  /** Ten rows an hour apart of a day, of the values 100 × station + hour. */
  const write = async (index: number, day: number) => {
    const hours = Array.from({ length: 10 }, (_, hour) => day * 24 + hour);
    const rows = hours.map((hour) => [at(index), hour, { 1: index * 10 + (hour % 10) }] as const);
    await opened().observations.write([{ batch: hourlyRows(rows) }]);
  };
  const read = async (index: number): Promise<number> => {
    let rows = 0;
    const query = { stations: [at(index)], from: START, to: START + 1000 * 86_400_000 };
    for await (const { stations, times } of opened().observations.read(query)) {
      expect([...new Set(stations)]).to.deep.equal([at(index)]);
      rows += times.length;
    }
    return rows;
  };
  const newestOf = async (index: number) => (await opened().observations.newest([at(index)]))[0] as Newest;
  const chunkAt = (index: number, day: number) =>
    raw().isSqlite
      ? `key = ${at(index) * 2 ** 20 + DAY + day + 2 ** 19}`
      : `station = ${at(index)} AND day = ${DAY + day}`;
  const dataOf = async (table: string, where: string): Promise<Buffer> => {
    const [row] = await raw().run(`SELECT data FROM @${table} WHERE ${where}`);
    return Buffer.from(row?.['data'] as Buffer);
  };
  const replace = async (table: string, where: string, data: Buffer) => {
    await raw().run(`UPDATE @${table} SET data = ? WHERE ${where}`, [data]);
    await reopen();
  };
  const verify = () => opened().verifier.verify(WATCH);
  const discard = () => opened().verifier.discard(WATCH);

  beforeEach(async () => {
    const made = await opened().stations.put(['a', 'b'].map((id) => ({ ...JFK, id, limits: {} })));
    numbers = made.map(({ station }) => station.number);
    // Chunks of one day each: the rows before them tell that the stations send often.
    const many = Array.from({ length: 24 * 60 }, (_, minute) => minute);
    for (const station of numbers)
      await opened().observations.write([
        { batch: hourlyRows(many.map((minute) => [station, minute / 60 - 24, { 1: 1 }])) },
      ]);
    await merge();
  });

  it('reads no chunk that is stored under the key of another station or day', async () => {
    for (const index of [0, 1]) for (const day of [0, 1]) await write(index, day);
    await merge();
    const own = await dataOf('chunk', chunkAt(1, 0));
    for (const other of [chunkAt(0, 0), chunkAt(1, 1)]) {
      await replace('chunk', chunkAt(1, 0), await dataOf('chunk', other));
      expect((await verify()).damage.map(({ stations }) => stations)).to.deep.equal([['b']]);
      await replace('chunk', chunkAt(1, 0), own);
      expect((await verify()).damage).to.deep.equal([]);
    }
    await replace('chunk', chunkAt(1, 0), await dataOf('chunk', chunkAt(0, 0)));
    const { message } = await domainErrorOf(read(1), 'DATA_DAMAGED');
    expect(message).to.contain('"b" on 2024-02-28');
    expect(await read(0)).to.equal(20);
  });

  it('reads no run that is stored under the id of another one', async () => {
    await write(0, 0);
    await write(1, 0);
    const ids = (await raw().run('SELECT id FROM @run ORDER BY id')).map(({ id }) => Number(id));
    await replace('run', `id = ${ids[0]}`, await dataOf('run', `id = ${ids[1]}`));
    // The stations of the run that is lost are not known.
    for (const index of [0, 1]) await domainErrorOf(read(index), 'DATA_DAMAGED');
    expect((await verify()).damage[0]).to.deep.include({ stations: null });
  });

  it('gives no newest values and totals of a row that has changed, and computes them again', async () => {
    for (const index of [0, 1]) await write(index, 0);
    await merge();
    const before = await newestOf(1);
    const [inventory] = await opened().observations.inventory([at(1)]);
    const right = await dataOf('newest', `station = ${at(1)}`);
    const changes: readonly (() => Promise<unknown>)[] = [
      async () => replace('newest', `station = ${at(1)}`, await dataOf('newest', `station = ${at(0)}`)),
      () => raw().run(`UPDATE @newest SET rows = rows + 1 WHERE station = ${at(1)}`),
      () => raw().run(`UPDATE @newest SET first = first - 1 WHERE station = ${at(1)}`),
      () => raw().run(`UPDATE @newest SET revision = revision + 1 WHERE station = ${at(1)}`),
      () => replace('newest', `station = ${at(1)}`, right.subarray(0, 20)),
    ];
    for (const [number, change] of changes.entries()) {
      await change();
      await reopen();
      const found = await newestOf(1);
      expect([found.lastSeen, found.values.size], `change ${number}`).to.deep.equal([null, 0]);
      expect(found.hiddenSince).to.not.equal(undefined);
      const [shown] = await opened().observations.inventory([at(1)]);
      expect(shown?.damaged).to.not.equal(undefined);
      expect(shown?.count).to.equal(0);
      expect((await newestOf(0)).values.size).to.equal(1);
      // Rows are written and read as usual, and do not make the damage unseen.
      await write(1, 1);
      await merge();
      expect(await read(1)).to.equal(20);
      await reopen();
      expect((await newestOf(1)).lastSeen, `change ${number}`).to.equal(null);
      expect((await verify()).differences.map(({ station }) => station)).to.deep.equal(['b']);
      await discard();
      expect((await verify()).differences).to.deep.equal([]);
      const repaired = await newestOf(1);
      expect([repaired.lastSeen, repaired.hiddenSince], `change ${number}`).to.deep.equal([
        START + 33 * 3_600_000,
        undefined,
      ]);
      expect(repaired.values.get(1)?.time).to.equal(START + 33 * 3_600_000);
      expect((await opened().observations.inventory([at(1)]))[0]?.count).to.equal(
        (inventory?.count ?? 0) + 10,
      );
      expect(before.values.get(1)?.time).to.equal(START + 9 * 3_600_000);
    }
  });

  it('uses no table of days that is stored under another month', async () => {
    const { dailyAggregates, observations } = opened();
    const months = [Date.UTC(2024, 2, 1), Date.UTC(2024, 3, 1), Date.UTC(2024, 4, 1)] as const;
    const tables = [0, 1].map((index) => ({
      start: months[index] as number,
      end: months[index + 1] as number,
      days: index === 0 ? 31 : 30,
      reportingInterval: null,
      rules: COMPUTATION_RULES,
      unusualMethods: [],
      positionCode: 0,
      routine: new Map(),
      sums: new Map(),
    }));
    const { revision } = (await observations.newest([at(0)]))[0] as Newest;
    await dailyAggregates.put(at(0), revision, 'UTC', tables);
    const find = async () =>
      (await opened().dailyAggregates.find({ stations: [at(0)], timeZone: 'UTC', from: 0, to: 8e15 }))?.map(
        ({ days }) => days,
      );
    expect(await find()).to.deep.equal([31, 30]);
    await replace('day_table', `start = ${months[0]}`, await dataOf('day_table', `start = ${months[1]}`));
    expect(await find()).to.deep.equal([30]);
  });
}
