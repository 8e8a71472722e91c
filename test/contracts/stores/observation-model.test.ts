import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { EraseRange } from '#application/ports/observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import type { Series } from '#domain/weather/series.js';
import type { Newest } from '#domain/weather/station-state.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { recheckRange } from '#domain/weather/quality/recheck-range.js';
import { applyOverrides, type QualityOverride } from '#domain/weather/quality/override.js';
import { isDaily } from '#domain/weather/variables.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { catchUp, recheckOf } from '../../support/recheck.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { openStores } from '#composition/modules/stores.js';
import { Place, storeNames } from '../../support/place.js';
import { embeddedServer, type PostgresServer, postgresServer } from '../../support/postgres.js';
import { batchOf } from './observation-store.js';
import { JFK } from './station-store.js';

/**
 * Compares every store of observations with a model of ten lines: a station is a map of rows and a count of the writes
 * that changed something. `MODEL_SECONDS=600 npm test -- -g model` runs it for that time, and `MODEL_INSTANCES=4` spreads
 * the operations over four instances instead of two.
 */
const SECONDS = process.env['MODEL_SECONDS'];
const INSTANCES = Number(process.env['MODEL_INSTANCES'] ?? 2);
/** Reads go to a replica. Only one instance is used, because another one may show its writes a moment later. */
const REPLICA = 'postgres with a replica';
/** Takes about half a minute for all stores together. */
const RUNS: Readonly<Record<string, number>> = { sqlite: 45, postgres: 22, [REPLICA]: 6 };
const COMMANDS = 40;
const STATIONS = 3;
/** Number of stations that the stores keep together. */
const GROUP = 64;
const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;
/** Three variables of reports, and two of daily values. */
const VARIABLES = [1, 3, 14, 31, 47];
const ALL = { from: -8.64e15, to: 8.64e15 };

type Row = readonly [time: number, values: Readonly<Record<number, number>>];

/** A value that a write has changed. */
interface Cell {
  readonly time: number;
  readonly variable: number;
  readonly before: number | undefined;
  readonly after: number;
}

/** Number of positions of `farAway`. */
const POSITIONS = 60 * 180;

/** A position for each number, so far from the others that no station is a neighbor of another one. */
function farAway(index: number) {
  return {
    latitude: -60 + 2 * (index % 60),
    longitude: -180 + 2 * (Math.floor(index / 60) % 180),
    limits: {},
  };
}

class ModelStation {
  readonly rows = new Map<number, Map<number, number>>();
  changes = 0;
  /** Whether `judge` was called since its version was seen last: the version may also be the same as before. */
  isChecked = false;

  /** @returns the changed values */
  write(rows: readonly Row[]): Cell[] {
    const sent = new Map<string, { time: number; variable: number; after: number }>();
    for (const [time, values] of rows)
      for (const [variable, after] of Object.entries(values))
        sent.set(`${time} ${variable}`, { time, variable: Number(variable), after });
    const cells: Cell[] = [];
    for (const { time, variable, after } of sent.values()) {
      const row = this.rows.get(time) ?? new Map<number, number>();
      this.rows.set(time, row);
      const before = row.get(variable);
      if (before === after) continue;
      row.set(variable, after);
      cells.push({ time, variable, before, after });
    }
    if (cells.length > 0) this.changes += 1;
    return cells;
  }

  /** @returns whether something has changed */
  revert(cells: readonly Cell[]): boolean {
    let changed = false;
    for (const { time, variable, before, after } of cells) {
      const row = this.rows.get(time);
      if (row?.get(variable) !== after) continue;
      if (before === undefined) row.delete(variable);
      else row.set(variable, before);
      if (row.size === 0) this.rows.delete(time);
      changed = true;
    }
    return changed;
  }

  erase(from: number, to: number, variables: readonly number[] | undefined): void {
    let isChanged = false;
    for (const time of this.times.filter((one) => one >= from && one < to)) {
      const row = this.rows.get(time) as Map<number, number>;
      for (const variable of variables ?? [...row.keys()]) if (row.delete(variable)) isChanged = true;
      if (row.size === 0) this.rows.delete(time);
    }
    if (isChanged) this.changes += 1;
  }

  /** Its version may be another one now: the station has changed, or was judged. */
  recheck(): void {
    this.changes += 1;
    this.isChecked = true;
  }

  get times(): number[] {
    return [...this.rows.keys()].sort((a, b) => a - b);
  }

  /** The values of variables, without rows that have none of them. */
  rowsWith(variables: readonly number[]): Map<number, Map<number, number>> {
    const rows = this.times.map((time) => {
      const values = [...(this.rows.get(time) ?? [])].filter(([variable]) => variables.includes(variable));
      return [time, new Map(values)] as const;
    });
    return new Map(rows.filter(([, values]) => values.size > 0));
  }

  /** The times of the rows with a value of the kind. */
  timesOf(kind: 'reports' | 'days'): number[] {
    return this.times.filter((time) =>
      [...(this.rows.get(time)?.keys() ?? [])].some((variable) => isDaily(variable) === (kind === 'days')),
    );
  }

  /** The totals of its reports and of its daily values. Without reports, its rows are its daily values. */
  get totals() {
    const [reports, days] = [totalsOf(this.timesOf('reports')), totalsOf(this.timesOf('days'))];
    return { ...(reports.count === 0 ? days : reports), ...(days.count > 0 && { days }) };
  }

  /** The newest time and value of each variable. */
  newest(): Map<number, string> {
    const found = new Map<number, string>();
    for (const time of this.times) {
      for (const [variable, value] of this.rows.get(time) ?? []) found.set(variable, `${time} ${value}`);
    }
    return found;
  }
}

function totalsOf(times: readonly number[]) {
  return { first: times[0] ?? null, last: times.at(-1) ?? null, count: times.length };
}

interface Model {
  readonly stations: readonly ModelStation[];
  /** The newest time that was written. Half of the rows are written after it. */
  front: number;
  /** The override of each station. */
  readonly overrides: (QualityOverride | undefined)[];
  /** The largest value of variable 1 that passes, by station. */
  readonly limits: number[];
  /** What each write of an open import has changed of each station, in the order of the writes; by slot of the import. */
  readonly imports: Map<number, (readonly Cell[])[][]>;
}

/** The store under test. It is opened several times, and can end without being closed. */
class Real {
  #place: Place;
  readonly #store: string;
  readonly #replica: PostgresServer | undefined;
  handles: Stores[] = [];
  numbers: number[] = [];
  ids: string[] = [];
  /** For each station: the version that the store returned last, by the number of changes at that time. */
  versions: Map<number, string>[] = [];
  /** Numbers of the open imports, by slot. */
  imports = new Map<number, number>();
  #round = 0;

  constructor(store: string, place: Place, replica: PostgresServer | undefined) {
    this.#store = store;
    this.#replica = replica;
    this.#place = place;
  }

  async open(): Promise<void> {
    const count = this.#replica === undefined ? INSTANCES : 1;
    for (let index = 0; index < count; index += 1) this.handles.push(await this.#openOne());
  }

  async #openOne(): Promise<Stores> {
    if (this.#replica === undefined) return await this.#place.open();
    const url = new URL(this.#place.databaseUrl);
    url.host = this.#replica.host;
    return await openStores(this.#place.config({ WEATHERD_DATABASE_READ_URL: url.href }));
  }

  handle(index: number): Stores {
    return this.handles[index % this.handles.length] as Stores;
  }

  async begin(): Promise<void> {
    this.#round += 1;
    // Hidden, so that the neighbors of few stations are looked for.
    for (const id of this.ids) await this.handle(0).stations.hide(id, 0);
    this.ids = Array.from({ length: STATIONS }, (_, station) => `model-${this.#round}-${station}`);
    // The stores divide stations into groups of 64. The last station of a round is in another group than the others.
    if (this.#round === 1) {
      const lasts = Array.from({ length: GROUP }, (_, index) => `model-${index + 1}-${STATIONS - 1}`);
      await this.handle(0).stations.put(
        lasts.map((id, index) => ({ ...JFK, id, ...farAway(POSITIONS - 1 - index) })),
      );
    }
    const made = await this.handle(0).stations.put(
      this.ids.map((id, index) => ({ ...JFK, id, ...farAway(this.#round * STATIONS + index) })),
    );
    this.numbers = made.map(({ station }) => station.number);
    this.versions = this.ids.map(() => new Map());
    this.imports.clear();
  }

  async reopen(index: number): Promise<void> {
    await this.handle(index).close();
    this.handles[index] = await this.#openOne();
  }

  /**
   * Continues with the data on disk at this moment, as after a power cut. A database server only loses its connections.
   */
  async crash(): Promise<void> {
    if (this.#store === 'postgres') {
      const name = new URL(this.#place.databaseUrl).pathname.slice(1);
      const server = await postgresServer();
      await server.run(
        'postgres',
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      return;
    }
    if (this.#store !== 'sqlite') return;
    const copy = await mkdtemp(join(tmpdir(), 'weatherd-place-'));
    for (const name of await readdir(this.#place.folder)) {
      if (name.endsWith('-shm')) continue;
      await cp(join(this.#place.folder, name), join(copy, name), { recursive: true });
    }
    await this.close();
    await rm(this.#place.folder, { recursive: true });
    this.#place = this.#place.movedTo(copy);
    await this.open();
  }

  async close(): Promise<void> {
    const handles = this.handles;
    this.handles = [];
    for (const handle of handles) await handle.close();
  }

  async remove(): Promise<void> {
    // A run that was ended by its time limit may still open or close a store.
    await this.close().catch(() => undefined);
    await this.#place.remove();
  }
}

type Command = fc.AsyncCommand<Model, Real>;

function command(title: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => title };
}

const handle = fc.nat(INSTANCES - 1);
const station = fc.nat(STATIONS - 1);
/** Values close to each other, so that all of them pass the step check. */
const value = fc.integer({ min: 100, max: 110 }).map((tenths) => tenths / 10);
const sentRow = fc.record({
  /** Number of hours after `front` if positive, before it if negative. */
  hours: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -60, max: 0 })),
  values: fc.dictionary(fc.constantFrom(...VARIABLES.map(String)), value, { minKeys: 1 }),
});
/** Two imports may be open at a time. */
const slot = fc.nat(1);

async function writeRows(
  model: Model,
  real: Real,
  by: number,
  rows: readonly (readonly [at: number, ...Row])[],
  into: number | undefined,
): Promise<void> {
  const { observations, importLog } = real.handle(by);
  if (into !== undefined && !real.imports.has(into))
    real.imports.set(into, await importLog.begin(undefined, 'model.csv', 0));
  const importNumber = into === undefined ? undefined : (real.imports.get(into) as number);
  const batch = batchOf(rows.map(([at, ...row]) => [real.numbers[at] as number, ...row]));
  await observations.write([{ ...(importNumber !== undefined && { importNumber }), batch }]);
  const cells = model.stations.map((one, index) =>
    one.write(rows.filter(([at]) => at === index).map(([, time, values]): Row => [time, values])),
  );
  if (into !== undefined) model.imports.set(into, [...(model.imports.get(into) ?? []), cells]);
}

const write = fc
  .tuple(
    handle,
    fc.array(fc.tuple(station, sentRow), { minLength: 1, maxLength: 5 }),
    fc.option(slot, { nil: undefined }),
  )
  .map(([by, sent, into]) =>
    command(`write(${by}, ${JSON.stringify(sent)}, ${into})`, async (model, real) => {
      const rows = sent.map(([at, { hours, values }]) => {
        const time = model.front + hours * HOUR;
        if (hours > 0) model.front = time;
        return [at, time, values] as const;
      });
      await writeRows(model, real, by, rows, into);
    }),
  );

/** Writes many rows of the past every ten minutes, every hour or every day. They are stored in days, 8 days or 64 days. */
const fill = fc
  .tuple(
    handle,
    station,
    fc.constantFrom(1 / 6, 1, 24),
    fc.constantFrom('reports' as const, 'days' as const, 'both' as const),
    fc.integer({ min: 70, max: 250 }),
    fc.integer({ min: 1, max: 220 }),
    fc.option(slot, { nil: undefined }),
  )
  .map(([by, at, interval, kind, ago, count, into]) =>
    command(`fill(${by}, ${at}, ${interval}, ${kind}, ${ago}, ${count}, ${into})`, async (model, real) => {
      const rows = Array.from({ length: count }, (_, index) => {
        const time = START - (ago + index * interval) * HOUR;
        const report = { 1: 10 + (index % 7) / 10, 3: 10 };
        const day = { 31: 10 + (index % 5) / 10 };
        return [at, time, { ...(kind !== 'days' && report), ...(kind !== 'reports' && day) }] as const;
      });
      await writeRows(model, real, by, rows.toReversed(), into);
    }),
  );

/** Undoes an import, by one handle or by several in turns. */
const undo = fc.tuple(slot, fc.array(handle, { minLength: 1, maxLength: 3 })).map(([from, handles]) =>
  command(`undo(${from}, ${handles.join()})`, async (model, real) => {
    const number = real.imports.get(from);
    if (number === undefined) return;
    await real.handle(0).importLog.beginUndo(number, 0);
    for (let step = 0; ; step += 1) {
      const { observations } = real.handle(handles[step % handles.length] as number);
      if ((await observations.undo(number)).isDone) break;
    }
    const changed = new Set<ModelStation>();
    for (const written of (model.imports.get(from) ?? []).toReversed())
      for (const [index, one] of model.stations.entries())
        if (one.revert(written[index] ?? [])) changed.add(one);
    for (const one of changed) one.changes += 1;
    model.imports.delete(from);
    real.imports.delete(from);
  }),
);

/** Erases values of one or two stations, by one handle or by several in turns. */
const erase = fc
  .tuple(
    fc.array(handle, { minLength: 1, maxLength: 3 }),
    fc.uniqueArray(station, { minLength: 1, maxLength: 2 }),
    fc.oneof(fc.integer({ min: -70, max: 100 }), fc.integer({ min: -2000, max: 0 })),
    fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1000 })),
    fc.constantFrom(undefined, [1], [3, 14], [31], [14, 47]),
  )
  .map(([handles, at, from, length, variables]) =>
    command(
      `erase(${handles.join()}, ${at.join()}, ${from}, ${length}, ${variables?.join()})`,
      async (model, real) => {
        const range = { from: START + from * HOUR, to: START + (from + length) * HOUR };
        let rest: readonly EraseRange[] = at.map((index) => ({
          station: real.numbers[index] as number,
          ...range,
          ...(variables && { variables }),
        }));
        for (let step = 0; rest.length > 0; step += 1) {
          const { observations } = real.handle(handles[step % handles.length] as number);
          ({ remaining: rest } = await observations.erase(rest));
        }
        for (const index of at) model.stations[index]?.erase(range.from, range.to, variables);
      },
    ),
  );

/** Marks the values of a range as bad or as good, or removes what was marked. */
const override = fc
  .tuple(
    handle,
    station,
    fc.integer({ min: -30, max: 60 }),
    fc.constantFrom('bad' as const, 'good' as const, undefined),
  )
  .map(([by, at, from, verdict]) =>
    command(`overrule(${by}, ${at}, ${from}, ${verdict})`, async (model, real) => {
      const { overrides } = real.handle(by);
      const [number, known] = [real.numbers[at] as number, model.overrides[at]];
      if (known !== undefined) expect(await overrides.remove(number, known.id)).to.deep.equal(known);
      model.overrides[at] = undefined;
      if (verdict === undefined) return;
      const range = { from: START + from * HOUR, to: START + (from + 20) * HOUR };
      const made = { id: real.ids[at] as string, station: number, variable: 1, ...range, verdict };
      const added = { ...made, reason: 'model', madeBy: null, madeAt: 0 };
      await overrides.add(added);
      model.overrides[at] = added;
    }),
  );

/** Changes the largest value that passes. */
const limit = fc.tuple(handle, station, fc.integer({ min: 10, max: 12 })).map(([by, at, max]) =>
  command(`limit(${by}, ${at}, ${max})`, async (model, real) => {
    const change = { limits: { air_temperature: { min: 0, max } } };
    const { stations, recheck } = real.handle(by);
    const [changed] = await stations.change([{ id: real.ids[at] as string, change }]);
    await recheck.request([{ station: changed?.station.number ?? 0, ...ALL, spreads: false }]);
    model.limits[at] = max;
    model.stations[at]?.recheck();
  }),
);

function seriesOf(times: readonly number[], rows: ReadonlyMap<number, ReadonlyMap<number, number>>): Series {
  const columns = VARIABLES.map((variable) => {
    const column = Float64Array.from(times, (time) => rows.get(time)?.get(variable) ?? Number.NaN);
    return [variable, column] as const;
  });
  return { times: Float64Array.from(times), values: new Map(columns), flags: new Map() };
}

/** The flags of values that did not pass, as text. */
function flagsOf({ times, values, flags }: Series): string[] {
  return [...flags]
    .flatMap(([variable, bytes]) =>
      Array.from(bytes, (flag, row) => {
        const isPresent = !Number.isNaN(values.get(variable)?.[row] ?? Number.NaN);
        return flag !== 0 && isPresent ? `${variable} ${times[row]} ${flag}` : '';
      }),
    )
    .filter((text) => text !== '')
    .sort();
}

/** Judges all that was requested. Flags may change, so versions may change too. */
const recheck = handle.map((by) =>
  command(`judge(${by})`, async (model, real) => {
    const stores = real.handle(by);
    await catchUp(recheckOf(stores));
    for (const [at, { rows, times }] of model.stations.entries()) {
      const series = seriesOf(times, rows);
      const limits = { air_temperature: { min: 0, max: model.limits[at] as number } };
      const rules = rulesOf({ limits, reportingInterval: JFK.reportingInterval });
      const flags = new Map(recheckRange(series, ALL, rules, []));
      applyOverrides(series, flags, model.overrides[at] === undefined ? [] : [model.overrides[at]]);
      const stations = [real.numbers[at] as number];
      const found: Series[] = [];
      for await (const page of stores.observations.read({ stations, ...ALL })) found.push(page);
      expect(flagsOf(concatenate(found))).to.deep.equal(flagsOf({ ...series, flags }));
      model.stations[at]?.recheck();
      const [newest] = await stores.observations.newest(stations);
      for (const [variable, one] of newest?.values ?? [])
        expect(one.flags).to.equal(flags.get(variable)?.[times.indexOf(one.time)] ?? 0);
    }
  }),
);

const merge = fc.tuple(handle, fc.constantFrom('due', 'all')).map(([by, scope]) =>
  command(`merge(${by}, ${scope})`, async (_model, real) => {
    const store = real.handle(by).observations as { merge?(scope: string): Promise<void> };
    await store.merge?.(scope);
  }),
);

const newest = fc
  .tuple(
    handle,
    fc.oneof(
      station.map((one) => [one]),
      fc.constant([0, 1, 2]),
    ),
  )
  .map(([by, asked]) =>
    command(`newest(${by}, ${asked.join()})`, async (model, real) => {
      const { observations } = real.handle(by);
      const found = await observations.newest(asked.map((index) => real.numbers[index] as number));
      const describeStation = new DescribeStation(new FakeClock(), observations);
      for (const [at, index] of asked.entries()) {
        const expected = model.stations[index] as ModelStation;
        const { lastSeen, values } = found[at] as Newest;
        expect(lastSeen).to.equal(expected.totals.last);
        const described = [...values].map(
          ([variable, one]) => [variable, `${one.time} ${one.value}`] as const,
        );
        expect(new Map(described)).to.deep.equal(expected.newest());
        // The version is used in ETags. It must change with every change and must otherwise stay the same.
        const { version } = await describeStation.execute(real.ids[index] as string);
        const known = real.versions[index] as Map<number, string>;
        if (expected.isChecked)
          for (const [changes, one] of known) if (one === version) known.delete(changes);
        expected.isChecked = false;
        expect(version).to.equal(known.get(expected.changes) ?? version);
        known.set(expected.changes, version);
        expect(new Set(known.values())).to.have.property('size', known.size);
      }
    }),
  );

const read = fc
  .tuple(
    handle,
    station,
    fc.oneof(fc.integer({ min: -70, max: 200 }), fc.integer({ min: -6000, max: 0 })),
    fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 6000 })),
    fc.constantFrom(undefined, [1, 14], [31], [3, 31, 47]),
  )
  .map(([by, at, from, length, variables]) =>
    command(`read(${by}, ${at}, ${from}, ${length}, ${variables?.join()})`, async (model, real) => {
      const range = { from: START + from * HOUR, to: START + (from + length) * HOUR };
      const { observations } = real.handle(by);
      const batches: Series[] = [];
      const query = { stations: [real.numbers[at] as number], ...range, ...(variables && { variables }) };
      for await (const batch of observations.read(query)) batches.push(batch);
      const short = { ...range, variables, maxRows: 1000 };
      const described = await observations.describe(real.ids[at] as string, short);
      const all = (model.stations[at] as ModelStation).rowsWith(variables ?? VARIABLES);
      const expected = [...all.keys()].filter((time) => time >= range.from && time < range.to);
      // A store may leave the rows out of its description. Those that it gives are all of the range.
      const found = described?.rows === undefined ? [batches] : [batches, [described.rows]];
      for (const series of found) {
        const rows = rowsOf(series);
        expect(rows).to.deep.equal(new Map(expected.map((time) => [time, all.get(time)])));
        expect([...rows.keys()]).to.deep.equal(expected);
      }
    }),
  );

function rowsOf(series: readonly Series[]): Map<number, Map<number, number>> {
  const rows = new Map<number, Map<number, number>>();
  for (const { times, values } of series) {
    for (const [row, time] of times.entries()) {
      const given = [...values].map(([variable, column]) => [variable, column[row] as number] as const);
      rows.set(time, new Map(given.filter(([, one]) => !Number.isNaN(one))));
    }
  }
  return rows;
}

const inventory = handle.map((by) =>
  command(`inventory(${by})`, async (model, real) => {
    const found = await real.handle(by).observations.inventory(real.numbers);
    for (const [index, one] of model.stations.entries()) {
      expect(found[index]).to.deep.equal({
        ...one.totals,
        variables: [...one.newest().keys()].sort((a, b) => a - b),
      });
    }
  }),
);

const reopen = handle.map((by) =>
  command(`reopen(${by})`, (_model, real) => real.reopen(by % real.handles.length)),
);
const crash = fc.constant(command('crash', (_model, real) => real.crash()));

/** Half of the commands read the newest values, because cached ones may be stale. */
const commands = fc.commands(
  [
    newest,
    newest,
    newest,
    newest,
    newest,
    newest,
    write,
    write,
    write,
    fill,
    merge,
    merge,
    undo,
    erase,
    override,
    limit,
    recheck,
    read,
    inventory,
  ].concat(
    // Opening a store takes as long as a hundred other commands.
    [
      fc.oneof(
        { weight: 20, arbitrary: read },
        { weight: 1, arbitrary: reopen },
        { weight: 1, arbitrary: crash },
      ),
    ],
  ),
  { size: 'max', maxCommands: COMMANDS },
);

// A given server, which TEST_STORE comes with, has no replica here.
for (const title of [...storeNames, ...(process.env['TEST_STORE'] === undefined ? [REPLICA] : [])]) {
  describe(`a model of observations › ${title}`, () => {
    let real: Real;
    let replica: PostgresServer | undefined;
    before(async () => {
      if (title === REPLICA) replica = await (await embeddedServer()).replica();
      const store = title === REPLICA ? 'postgres' : title;
      real = new Real(store, await Place.ready(store), replica);
      await real.open();
    });
    after(async () => {
      await real.remove();
      await replica?.halt();
    });

    it('answers like the model, after any commands in any order', async () => {
      const bounds =
        SECONDS === undefined
          ? { numRuns: RUNS[title] ?? 40 }
          : { numRuns: 1e9, interruptAfterTimeLimit: Number(SECONDS) * 1000, markInterruptAsFailure: false };
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          await real.begin();
          const model = () => ({
            stations: real.ids.map(() => new ModelStation()),
            front: START,
            imports: new Map(),
            overrides: real.ids.map(() => undefined),
            limits: real.ids.map(() => 60),
          });
          await fc.asyncModelRun(() => ({ model: model(), real }), sequence);
        }),
        { ...bounds, endOnFailure: SECONDS !== undefined },
      );
    }).timeout(SECONDS === undefined ? 120_000 : Number(SECONDS) * 1000 + 60_000);
  });
}
