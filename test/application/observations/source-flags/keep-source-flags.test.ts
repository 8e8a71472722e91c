import { expect } from 'chai';
import { Importer } from '#adapters/imports/importer.js';
import type { ReadChunk } from '#adapters/formats/tables/read-notes.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { BeginImport } from '#application/observations/imports/begin-import.js';
import { EndImport } from '#application/observations/imports/end-import.js';
import { UndoImport } from '#application/observations/imports/undo-import.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { WriteEvents } from '#application/observations/ingest/write-events.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { ListOverrides } from '#application/observations/overrides/list-overrides.js';
import { RemoveOverride } from '#application/observations/overrides/remove-override.js';
import { KeepSourceFlags } from '#application/observations/source-flags/keep-source-flags.js';
import { SourceFlagRecords } from '#application/observations/source-flags/source-flag-records.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { NO_FLAG, type SourceFlag, topFlags } from '#domain/weather/source-flags.js';
import { variableNamed } from '#domain/weather/variables.js';
import { addStation } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const DAY = 86_400_000;
const [MAXIMUM, RAIN] = ['daily_maximum_air_temperature', 'daily_precipitation_amount'] as const;
const REASON = 'failed a check of NOAA: spatial consistency (flag S)';
const FLAGS: readonly SourceFlag[] = [
  NO_FLAG,
  { text: ',,7', failure: null },
  { text: 'T,,7', failure: null },
  { text: ',S,7', failure: REASON },
  { text: ',X,7', failure: 'failed a check of NOAA: bounds (flag X)' },
];
const S = FLAGS[3] as SourceFlag;

interface Cell {
  readonly variable: string;
  readonly day: number;
  readonly value: number;
  readonly flag: SourceFlag;
}

/** Numbers from 0 to 1 that look random and are the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('KeepSourceFlags', () => {
  let world: World;
  let station: number;
  /** The first day: the days after it are in two blocks of records. */
  const first = 3653 * 5 * DAY - 10 * DAY + 6 * 3_600_000;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    station = (await world.stores.stations.list())[0]?.number ?? 0;
  });

  /** A chunk as the reader of tables makes it. Each cell is a row, as in a file with a row for each value. */
  const chunkOf = (cells: readonly Cell[], line: number): ReadChunk => {
    // A file without flags has columns without lists of flags.
    const hasFlags = cells.some(({ flag }) => flag !== NO_FLAG);
    const columnOf = (variable: string) => ({
      variable,
      unit: variableNamed(variable)?.unit,
      values: Float64Array.from(cells, (cell) => (cell.variable === variable ? cell.value : Number.NaN)),
      ...(hasFlags && {
        flags: cells.map((cell) => (cell.variable === variable ? cell.flag : undefined)),
      }),
    });
    const lines = Float64Array.from(cells, (_cell, row) => line + row + 1);
    const times = Float64Array.from(cells, ({ day }) => first + day * DAY);
    const rows = { stations: cells.map(() => 'JFK'), times, columns: [MAXIMUM, RAIN].map(columnOf) };
    return { parts: [{ lines, rows }], faults: [], line: line + cells.length };
  };
  const begin = (key?: string) => world.get(BeginImport).execute(key, 'days.csv');
  /** Writes chunks as the import command does. @returns the last line that the import would store as its progress */
  const write = async (
    number: number,
    chunks: readonly (readonly Cell[])[],
    after = 0,
    told = { line: after, failed: 0 },
  ) => {
    async function* read() {
      let line = 0;
      for (const cells of chunks) {
        yield chunkOf(cells, line);
        line += cells.length;
      }
    }
    const written = async (line: number) => {
      told.line = line;
    };
    const importer = new Importer(
      world.get(RecordObservations),
      world.get(KeepSourceFlags),
      new WriteEvents(world.get(AuditTrail), CALLER),
      { reported: () => undefined, failed: (count) => (told.failed += count), written },
      { number: () => Promise.resolve(number) },
      CALLER,
    );
    await importer.run(read(), after);
  };
  const importAll = async (...chunks: readonly (readonly Cell[])[]) => {
    const number = await begin();
    await write(number, chunks);
    await world.get(EndImport).execute(number);
    return number;
  };
  const undo = (number: number) => world.get(UndoImport).execute(number, CALLER);
  const overrides = () => world.get(ListOverrides).execute('JFK');
  const shown = async () =>
    (await overrides()).map(({ from, to, reason, madeBy }) => [
      (from - first) / DAY,
      Math.round((to - first) / DAY),
      reason,
      madeBy,
    ]);
  const layers = () => world.get(SourceFlagRecords).read(station);
  const flagsOf = async (variable: string) => {
    const top = topFlags(await layers()).get(variableNamed(variable)?.number ?? 0) ?? new Map();
    return new Map([...top].map(([time, flag]) => [(time - first) / DAY, flag.text]));
  };
  const days = (from: number, to: number, flag: SourceFlag, value = 1): readonly Cell[] =>
    Array.from({ length: to - from }, (_, index) => ({ variable: MAXIMUM, day: from + index, value, flag }));

  it('marks contiguous failed values with one override, which names the check and the import', async () => {
    const cells = [
      ...days(1, 4, S),
      ...days(4, 5, FLAGS[1] as SourceFlag),
      ...days(5, 6, S),
      ...days(7, 9, S),
    ];
    const number = await importAll(cells);
    const by = `import ${number}`;
    expect(await shown()).to.deep.equal([
      [1, 3, REASON, by],
      [5, 5, REASON, by],
      [7, 8, REASON, by],
    ]);
    expect((await overrides()).every(({ verdict }) => verdict === 'bad')).to.equal(true);
    const requests = (await world.stores.recheck.requests(100, 0, false)).filter(
      ({ to }) => to < first + 100 * DAY,
    );
    expect(
      requests.map(({ from, to }) => [(from - first) / DAY, Math.round((to - first) / DAY)]),
    ).to.deep.equal([[1, 8]]);
  });

  it('takes the flags and the overrides of an import back, and no others', async () => {
    const old = await importAll(days(1, 3, S));
    const request = {
      variable: MAXIMUM,
      from: first,
      to: first + DAY,
      verdict: 'bad' as const,
      reason: 'Spider.',
    };
    await world.get(AddOverride).execute('JFK', request, CALLER);
    const newer = await importAll([...days(2, 3, FLAGS[1] as SourceFlag, 2), ...days(4, 6, S)]);
    expect((await shown()).map(([from, to]) => [from, to])).to.have.deep.members([
      [1, 1],
      [0, 1],
      [4, 5],
    ]);
    await undo(newer);
    expect([...(await flagsOf(MAXIMUM))]).to.deep.equal([
      [1, ',S,7'],
      [2, ',S,7'],
    ]);
    expect((await shown()).map(([from, to, reason]) => [from, to, reason])).to.have.deep.members([
      [1, 2, REASON],
      [0, 1, 'Spider.'],
    ]);
    await undo(old);
    expect((await layers()).length).to.equal(0);
    expect((await shown()).map(([, , reason]) => reason)).to.deep.equal(['Spider.']);
  });

  it('changes nothing if the same file is imported again', async () => {
    const cells = [...days(1, 4, S), ...days(4, 9, FLAGS[1] as SourceFlag)];
    await importAll(cells);
    const before = [await overrides(), await layers()];
    await importAll(cells);
    expect([await overrides(), await layers()]).to.deep.equal(before);
  });

  it('does not bring an override back that a person has removed, until the flags change', async () => {
    await importAll(days(1, 4, S));
    const [override] = await overrides();
    await world.get(RemoveOverride).execute('JFK', override?.id ?? '', CALLER);
    await importAll(days(1, 4, S));
    expect(await overrides()).to.deep.equal([]);
    await importAll(days(1, 4, FLAGS[4] as SourceFlag));
    expect((await shown()).map(([from, to]) => [from, to])).to.deep.equal([[1, 3]]);
  });

  it('hides the flags of values that a file without flags replaces', async () => {
    await importAll(days(1, 4, S));
    const number = await importAll(days(2, 3, NO_FLAG, 2));
    expect([...(await flagsOf(MAXIMUM))]).to.have.deep.members([
      [1, ',S,7'],
      [2, ''],
      [3, ',S,7'],
    ]);
    expect((await shown()).map(([from, to]) => [from, to])).to.deep.equal([
      [1, 1],
      [3, 3],
    ]);
    await undo(number);
    expect((await shown()).map(([from, to]) => [from, to])).to.deep.equal([[1, 3]]);
  });

  it('keeps nothing of rows that were rejected', async () => {
    const late = { variable: MAXIMUM, day: (world.clock.now() - first) / DAY + 2, value: 1, flag: S };
    const told = { line: 0, failed: 0 };
    await write(await begin(), [[...days(1, 2, S), late]], 0, told);
    expect([...(await flagsOf(MAXIMUM)).keys()]).to.deep.equal([1]);
    expect(told.failed).to.equal(1);
  });

  it('lists the stations of an import that changes flags alone', async () => {
    await importAll(days(1, 4, FLAGS[1] as SourceFlag));
    const number = await importAll(days(1, 4, FLAGS[2] as SourceFlag));
    expect(await world.stores.importLog.find(number)).to.deep.include({ rows: 0, stations: [station] });
    await undo(number);
    expect([...(await flagsOf(MAXIMUM)).values()]).to.deep.equal([',,7', ',,7', ',,7']);
  });

  it('makes one layer of many that can no longer be undone, and still says which import marked a value', async () => {
    const numbers: number[] = [];
    for (let day = 0; day < 10; day += 1) {
      numbers.push(await importAll(days(day, day + 1, FLAGS[1 + (day % 4)] as SourceFlag)));
      world.clock.time += 5 * DAY;
      await world.get(Housekeep).execute();
    }
    const before = [await shown(), await flagsOf(MAXIMUM)];
    const last = await importAll(days(11, 12, FLAGS[1] as SourceFlag));
    const imports = (await layers()).map((one) => one.import);
    // The imports of the last 30 days before the tenth import can still be undone.
    expect(imports).to.deep.equal([0, ...numbers.slice(3), last]);
    await undo(last);
    expect([await shown(), await flagsOf(MAXIMUM)]).to.deep.equal(before);
    // A value of the joined layer passes now.
    await importAll(days(2, 3, NO_FLAG, 9));
    expect((await shown()).length).to.equal((before[0] as unknown[]).length - 1);
  });

  it('makes one layer of imports that have changed flags alone, which are not forgotten', async () => {
    for (let count = 0; count < 12; count += 1) {
      await importAll(days(1, 2, FLAGS[1 + (count % 2)] as SourceFlag));
      world.clock.time += 10 * DAY;
    }
    expect((await layers()).length).to.be.lessThan(11);
    expect([...(await flagsOf(MAXIMUM))]).to.deep.equal([[1, 'T,,7']]);
  });

  it('has the flags and the overrides of the last import of each value, also after kills, undos and repetitions', async () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      world = await World.make();
      await addStation(world);
      station = (await world.stores.stations.list())[0]?.number ?? 0;
      await model(randomNumbers(seed), seed);
    }
  });

  /** Imports and undoes random cells, and compares the result with a plain list of the flags of each value. */
  const model = async (random: () => number, seed: number) => {
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    /** The imports that brought the flags of a value, the last one at the end. */
    const stacks = new Map<string, { import: number; flag: SourceFlag }[]>();
    const values = new Map<string, number>();
    const files: (readonly (readonly Cell[])[])[] = [];
    const numbers: number[] = [];
    failAtRandom(random);
    for (let step = 0; step < 12; step += 1) {
      if (numbers.length > 0 && random() < 0.25) {
        const number = pick(numbers);
        numbers.splice(numbers.indexOf(number), 1);
        await untilDone(() => undo(number));
        for (const stack of stacks.values()) {
          const at = stack.findIndex((one) => one.import === number);
          if (at !== -1) stack.splice(at, 1);
        }
        values.clear();
        for await (const { times, values: stored } of world.stores.observations.read({
          from: -8e15,
          to: 8e15,
        }))
          for (const [variable, column] of stored)
            for (const [row, value] of column.entries())
              if (!Number.isNaN(value)) values.set(`${variable} ${((times[row] ?? 0) - first) / DAY}`, value);
      } else {
        const isRepeated = files.length > 0 && random() < 0.3;
        const chunks = isRepeated ? pick(files) : [0, 1].map(() => randomCells(random));
        files.push(chunks);
        const number = await untilDone(() => begin(`key ${step}`));
        const told = { line: 0, failed: 0 };
        await untilDone(() => write(number, chunks, told.line, told));
        await untilDone(() => world.get(EndImport).execute(number));
        numbers.push(number);
        let hasChanged = false;
        for (const cells of chunks) {
          const cellsByKey = new Map(cells.map((cell) => [keyOf(cell), cell]));
          for (const [key, { value }] of cellsByKey) {
            hasChanged ||= values.get(key) !== value;
            values.set(key, value);
          }
          for (const [key, { flag }] of cellsByKey) {
            const stack = stacks.get(key) ?? [];
            stacks.set(key, stack);
            const top = stack.at(-1);
            if (top === undefined ? flag === NO_FLAG : top.flag === flag && !hasChanged) continue;
            if (top?.import === number) stack.pop();
            stack.push({ import: number, flag });
          }
        }
      }
      await compare(stacks, `seed ${seed}, step ${step}`);
    }
  };
  const keyOf = ({ variable, day }: Pick<Cell, 'variable' | 'day'>) =>
    `${variableNamed(variable)?.number} ${day}`;
  const randomCells = (random: () => number): readonly Cell[] => {
    const from = Math.floor(random() * 20);
    const flag = () => FLAGS[Math.floor(random() * FLAGS.length)] as SourceFlag;
    return [MAXIMUM, RAIN].flatMap((variable) => {
      let current = flag();
      return Array.from({ length: Math.ceil(random() * 8) }, (_, day) => {
        if (random() < 0.4) current = flag();
        return { variable, day: from + day, value: Math.ceil(random() * 1.2), flag: current };
      });
    });
  };
  /** Lets some writes of the stores fail, before or after they are done, as if the process were killed there. */
  const failAtRandom = (random: () => number) => {
    const { storedRecords, overrides: overrideStore, importLog } = world.stores;
    const failing = <F extends (...parameters: never[]) => Promise<unknown>>(call: F) =>
      (async (...parameters: never[]) => {
        if (random() < 0.1) throw new Error('killed before');
        const result = await call(...parameters);
        if (random() < 0.1) throw new Error('killed after');
        return result;
      }) as F;
    for (const name of ['put', 'purge'] as const) storedRecords[name] = failing(storedRecords[name]) as never;
    overrideStore.replace = failing(overrideStore.replace.bind(overrideStore));
    importLog.addStations = failing(importLog.addStations.bind(importLog));
  };
  const untilDone = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await work();
      } catch (error) {
        if (!(error as Error).message.startsWith('killed')) throw error;
      }
  };
  const compare = async (
    stacks: ReadonlyMap<string, readonly { import: number; flag: SourceFlag }[]>,
    message: string,
  ) => {
    const expected = [...stacks].flatMap(([key, stack]) => {
      const top = stack.at(-1);
      return top === undefined ? [] : [[key, top.flag.text, top.flag.failure] as const];
    });
    const found = [...topFlags(await layers())].flatMap(([variable, byTime]) =>
      [...byTime].map(
        ([time, { text, failure }]) => [`${variable} ${(time - first) / DAY}`, text, failure] as const,
      ),
    );
    expect(found, message).to.have.deep.members(expected);
    const all = await overrides();
    for (const [key, stack] of stacks) {
      const [variable, day] = key.split(' ').map(Number);
      const time = first + (day ?? 0) * DAY;
      const covering = all.filter((one) => one.variable === variable && one.from <= time && time < one.to);
      const { failure = null } = stack.at(-1)?.flag ?? {};
      expect(
        covering.map(({ reason, madeBy }) => [reason, madeBy]),
        `${message}, ${key}`,
      ).to.deep.equal(failure === null ? [] : [[failure, `import ${stack.at(-1)?.import}`]]);
    }
  };
});
