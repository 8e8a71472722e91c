import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import type { EraseRange } from '#application/ports/observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import type { Station } from '#domain/weather/station.js';
import { type Outcome, readEverything } from '../../support/flipped-file.js';
import { Place } from '../../support/place.js';
import { JFK } from '../../contracts/stores/station-store.js';

/** Number of files in each of which one bit is flipped. Fewer files have several. */
const FLIPS = Number(process.env['FLIPS'] ?? 250);

const START = Date.UTC(2023, 0, 1);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const IDS = ['dense', 'hourly', 'sparse', 'short', 'silent'];

/** A generator of numbers from 0 to `below` - 1 (mulberry32), so that a failure can be repeated. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

async function fill(stores: Stores): Promise<void> {
  const made = await stores.stations.put(IDS.map((id) => ({ ...JFK, id, timeZone: 'UTC', limits: {} })));
  const stations = new Map(made.map(({ station }) => [station.id, station]));
  const numberOf = (id: string) => stations.get(id)?.number ?? 0;
  const observations = stores.observations as SqliteObservationStore;
  const write = async (id: string, from: number, count: number, step: number) => {
    const times = Float64Array.from({ length: count }, (_, row) => from + row * step);
    const at = (scale: number, period: number) =>
      times.map((time) => Math.round(scale * Math.sin(time / period) * 10) / 10);
    const values = new Map([
      [1, at(15, 7 * 3_600_000)],
      [3, at(40, 9 * 3_600_000).map((value) => Math.abs(value))],
      [6, at(9, 5 * 3_600_000).map((value) => Math.abs(value))],
    ]);
    const numbers = new Uint32Array(count).fill(numberOf(id));
    await observations.write([{ batch: { stations: numbers, times, values, flags: new Map() } }]);
  };
  await write('dense', START, 144 * 12, 10 * MINUTE);
  await write('hourly', START, 24 * 100, 60 * MINUTE);
  await write('sparse', START, 3 * 280, 480 * MINUTE);
  await write('short', START + 3 * DAY, 30, 10 * MINUTE);
  await observations.merge('all');
  const calendar = new TemporalCalendar();
  const keep = new MaintainDailyAggregates(calendar, observations, stores.dailyAggregates);
  for (const id of ['hourly', 'sparse'])
    keep.request(stations.get(id) as Station, calendar.buckets('month', 'UTC', 0, START, START + 200 * DAY));
  await keep.execute();
  const expired = { station: numberOf('sparse'), from: START, to: Date.UTC(2023, 2, 1), isExpiry: true };
  for (let rest: readonly EraseRange[] = [expired]; rest.length > 0;)
    ({ remaining: rest } = await observations.erase(rest));
  // Two runs of the block of all stations, and three of commits.
  for (const hour of [0, 8]) {
    await write('dense', START + 12 * DAY + hour * 60 * MINUTE, 20, 10 * MINUTE);
    await write('sparse', START + 281 * DAY + hour * 60 * MINUTE, 1, MINUTE);
    await observations.merge('due');
  }
  await write('hourly', START + 100 * DAY, 3, 60 * MINUTE);
  await write('dense', START + 13 * DAY, 5, 10 * MINUTE);
  await write('short', START + 4 * DAY, 2, 10 * MINUTE);
}

describe('a data file with flipped bits', () => {
  let folder: string;
  let place: Place;
  let original: Buffer;
  let expected: Map<string, Outcome>;
  /** Places of bytes that are not zero. */
  let written: Uint32Array;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-flips-'));
    place = await Place.make('sqlite');
    const stores = await place.open();
    await fill(stores);
    await stores.close();
    const file = join(place.folder, 'weatherd.db');
    copyFileSync(file, join(folder, 'read.db'));
    expected = readEverything(join(folder, 'read.db'), IDS, START);
    original = readFileSync(file);
    written = Uint32Array.from(original.keys()).filter((at) => original[at] !== 0);
  });
  after(async () => {
    await place.remove();
    await rm(folder, { recursive: true });
  });

  it('is read as it was written, and has every kind of rows', () => {
    for (const [name, outcome] of expected) expect(outcome, name).to.have.property('text');
    const rows = [...(expected.get('all rows') as { text: string }).text.matchAll(/(\d+) rows/g)];
    expect(rows.reduce((sum, [, count]) => sum + Number(count), 0)).to.be.greaterThan(4500);
    const kinds = [...expected.keys()].map((name) => name.replace(/^\w+: |-?\d+(\.\d+)?$/g, '').trim());
    expect(kinds).to.include.members([
      'newest',
      'inventory',
      'rows',
      'table',
      'removed months',
      'short rows',
    ]);
  });

  /** @returns how a read differs from what was written without having been refused */
  const wrongIn = (found: ReadonlyMap<string, Outcome>): string[] =>
    [...found].flatMap(([name, outcome]) => {
      if ('refused' in outcome) return [];
      const right = expected.get(name) as { text: string } | undefined;
      return outcome.text === right?.text ? [] : [name];
    });

  const readBytes = (bytes: Buffer) => {
    const file = join(folder, 'flipped.db');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    writeFileSync(file, bytes);
    return readEverything(file, IDS, START);
  };

  const flip = (count: number, random: (below: number) => number) => {
    const bytes = Buffer.from(original);
    const pageSize = bytes.readUInt16BE(16);
    const places: string[] = [];
    for (let left = count; left > 0; left -= 1) {
      // A quarter of the bits lie where pages have their headers and the places of their cells, a tenth anywhere, and the others
      // where something is written.
      const kind = random(20);
      const anywhere = random(bytes.length);
      const header = Math.floor(anywhere / pageSize) * pageSize + random(64);
      const at = kind < 5 ? header : kind < 7 ? anywhere : (written[random(written.length)] as number);
      const bit = random(8);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      places.push(`${at}.${bit}`);
    }
    return { found: readBytes(bytes), places: places.join() };
  };

  for (const [count, files] of [
    [1, FLIPS],
    [6, Math.ceil(FLIPS / 5)],
    [60, Math.ceil(FLIPS / 10)],
  ] as const)
    it(`gives the rows that were written or refuses to, with ${count} of its bits flipped`, () => {
      const random = seeded(Number(process.env['FLIPS_SEED'] ?? 20_261_124) + count);
      const totals = { 'as written': 0, 'refused as a whole': 0, 'partly refused': 0 };
      const kinds = new Map<string, number>();
      const wrong: string[] = [];
      for (let round = 0; round < files; round += 1) {
        const { found, places } = flip(count, random);
        const differing = wrongIn(found);
        if (differing.length > 0) wrong.push(`${places}: ${differing.join('; ')}`);
        const refused = [...found.values()].flatMap((outcome) =>
          'refused' in outcome ? [outcome.refused] : [],
        );
        for (const kind of new Set(refused)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (refused.length === 0) totals['as written'] += 1;
        else if (refused.length === found.size) totals['refused as a whole'] += 1;
        else totals['partly refused'] += 1;
      }
      const text = Object.entries(totals).map(([name, number]) => `${number} ${name}`);
      console.log(
        `      ${files} files: ${text.join(', ')}; ${[...kinds].map(([kind, number]) => `${kind} ${number}`).join(', ')}`,
      );
      expect(wrong).to.deep.equal([]);
    });

  it('gives the rows that were written or refuses to, with cells of a page twice, in another order or missing', () => {
    const random = seeded(Number(process.env['FLIPS_SEED'] ?? 20_261_124));
    const pageSize = original.readUInt16BE(16);
    const wrong: string[] = [];
    let files = 0;
    for (let page = pageSize; page < original.length; page += pageSize) {
      const count = original.readUInt16BE(page + 3);
      // Leaves of indexes and of tables. The places of the cells follow the header.
      if (![10, 13].includes(original.readUInt8(page)) || count < 2) continue;
      const at = (index: number) => page + 8 + 2 * index;
      const cells = Array.from({ length: count }, (_, index) => original.readUInt16BE(at(index)));
      const index = random(count - 1);
      const [one = 0, next = 0] = cells.slice(index);
      const hasSpace = original.readUInt16BE(page + 5) - (8 + 2 * count) >= 2;
      for (const changed of [
        cells.toSpliced(index, 2, one, one),
        cells.toSpliced(index, 2, next, next),
        cells.toSpliced(index, 2, next, one),
        cells.toSpliced(index, 1),
        ...(hasSpace ? [cells.toSpliced(index, 0, one)] : []),
      ]) {
        const bytes = Buffer.from(original);
        bytes.writeUInt16BE(changed.length, page + 3);
        for (const [number, cell] of changed.entries()) bytes.writeUInt16BE(cell, at(number));
        const differing = wrongIn(readBytes(bytes));
        if (differing.length > 0) wrong.push(`${page}: ${changed.join()}: ${differing.join('; ')}`);
        files += 1;
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(files).to.be.greaterThan(50);
  });

  it('gives no station the rows of another one with a bit flipped in the index of ids', () => {
    const pageSize = original.readUInt16BE(16);
    const wrong: string[] = [];
    let files = 0;
    for (let page = pageSize; page < original.length; page += pageSize) {
      const bytes = original.subarray(page, page + pageSize);
      if (bytes.readUInt8(0) !== 10 || !IDS.every((id) => bytes.includes(id))) continue;
      for (const id of IDS)
        for (let at = bytes.indexOf(id), end = at + id.length; at < end; at += 1)
          for (const bit of [3, 7]) {
            const changed = Buffer.from(original);
            changed.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), page + at);
            const differing = wrongIn(readBytes(changed));
            if (differing.length > 0) wrong.push(`${page + at}.${bit}: ${differing.join('; ')}`);
            files += 1;
          }
    }
    expect(wrong).to.deep.equal([]);
    expect(files).to.be.greaterThan(20);
  });
});
