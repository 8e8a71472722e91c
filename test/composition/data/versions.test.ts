import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { pino } from 'pino';
import { Argon2PasswordHasher } from '#adapters/password-argon2/argon2-password-hasher.js';
import { SCHEMA_VERSION as POSTGRES_SCHEMA } from '#adapters/store-postgres/database/migrations.js';
import { SCHEMA_VERSION as SQLITE_SCHEMA } from '#adapters/store-sqlite/database/migrations.js';
import type { Inventory } from '#application/ports/observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import type { RecordKind } from '#application/record-forms.js';
import { startService } from '#composition/service.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { Newest } from '#domain/weather/station-state.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { Place, silentLog } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { contentOf, type StoredContent } from '../../support/stored-content.js';

/** Time, values by name of variable, flags of values that did not pass. */
type Row = readonly [string, Record<string, number | string>, Record<string, number>?];

interface Weather {
  readonly stations: readonly { readonly id: string; readonly number: number }[];
  readonly inventory: Readonly<Record<string, unknown>>;
  readonly newest: Readonly<Record<string, unknown>>;
  readonly observations: Readonly<Record<string, readonly Row[]>>;
}

interface Accounts {
  readonly passwordOfAll: string;
  readonly users: readonly { readonly passwordHash: string }[];
  readonly sessions: readonly unknown[];
  readonly audit: readonly unknown[];
  readonly keys: readonly { readonly id: string }[];
}

const VERSIONS = fileURLToPath(new URL('../../../../test/fixtures/versions/', import.meta.url));

const text = (time: number) => new Date(time).toISOString();
const nameOf = (variable: number) => variableNumbered(variable).name;

/** Copies the data of a version to the place where each store expects it. */
const INSTALL: Readonly<Record<string, (version: string, place: Place) => Promise<void>>> = {
  sqlite: async (version, { folder }) => {
    await cp(join(version, 'weatherd.db'), join(folder, 'weatherd.db'));
    await mkdir(join(folder, 'keys'));
    await cp(join(version, 'keys'), join(folder, 'keys'), { recursive: true });
  },
  postgres: async (version, { databaseUrl }) => {
    const dump = await readFile(join(version, 'postgres.sql'), 'utf8');
    await (await postgresServer()).run(databaseUrl, dump);
  },
};

async function readJson<T>(...path: readonly string[]): Promise<T> {
  return JSON.parse(await readFile(join(...path), 'utf8')) as T;
}

const folders = (await readdir(VERSIONS, { withFileTypes: true })).filter((entry) => entry.isDirectory());
// builds.test.ts has the compressed ones.
const entries = folders.filter(({ name }) => existsSync(join(VERSIONS, name, 'weatherd.db')));
const bytesOf = async (folder: string, name: string) =>
  entries.some((entry) => entry.name === folder)
    ? await readFile(join(VERSIONS, folder, name))
    : brotliDecompressSync(await readFile(join(VERSIONS, folder, `${name}.br`)));
/** Data as a released version wrote them, described by hand. */
const versions = entries.filter(({ name }) => !name.startsWith('schema-'));
/** Data with a version of the schemas, made and described by test/support/make-version.ts. */
const schemas = entries.filter(({ name }) => name.startsWith('schema-'));

for (const { name: version } of versions) {
  for (const [store, install] of Object.entries(INSTALL)) {
    describe(`data of version ${version} › ${store}`, () => {
      let place: Place;
      let stores: Stores;
      let weather: Weather;
      let accounts: Accounts;

      before(async () => {
        const folder = join(VERSIONS, version);
        place = await Place.make(store);
        await install(folder, place);
        stores = await place.open();
        weather = await readJson(folder, 'weather.json');
        accounts = await readJson(folder, `${store}-accounts.json`);
      });
      after(async () => {
        await stores.close();
        await place.remove();
      });

      it('has its users, with the passwords they had', async () => {
        const found = await stores.credentials.list();
        expect(found).to.have.length(accounts.users.length);
        expect(found).to.containSubset(accounts.users);
        const hasher = new Argon2PasswordHasher();
        const hash = accounts.users[0]?.passwordHash ?? '';
        expect(await hasher.verify(hash, accounts.passwordOfAll)).to.equal(true);
        await hasher.close();
      });

      it('makes users who are not administrators readers, which the first start logs once', async () => {
        const users = await stores.credentials.list();
        expect(users.map(({ stations }) => stations)).to.deep.equal(users.map(() => []));
        const again = await Place.make(store);
        await install(join(VERSIONS, version), again);
        // The first command migrates the data, and prints nothing about it.
        await (await again.open()).close();
        const starts: string[][] = [];
        for (let start = 0; start < 2; start += 1) {
          const said: string[] = [];
          const logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
          await (await startService(again.config(), { ...silentLog, logger })).stop();
          starts.push(said.filter((line) => line.includes('user grant')));
        }
        await again.remove();
        const readers = users.filter(({ administrator }) => !administrator).length;
        expect(starts.map(({ length }) => length)).to.deep.equal([1, 0]);
        expect(starts[0]?.[0]).to.contain(`"users":${readers},`).and.contain(`${readers} users are not`);
      });

      it('has its sessions, audit trail and signing keys', async () => {
        expect(await stores.sessions.list(0)).to.containSubset(accounts.sessions);
        const events = await stores.audit.list(1000);
        expect(events).to.have.length(accounts.audit.length);
        expect(events).to.containSubset(accounts.audit);
        const keys = await stores.keys.list();
        expect(keys).to.have.length(accounts.keys.length);
        expect(keys).to.containSubset(accounts.keys);
        expect(keys.map(({ privateKey }) => privateKey?.slice(0, 27))).to.deep.equal(
          keys.map(() => '-----BEGIN PRIVATE KEY-----'),
        );
      });

      it('has its stations, with their numbers', async () => {
        const found = await stores.stations.list();
        expect(found).to.have.length(weather.stations.length);
        expect(found).to.containSubset(weather.stations);
      });

      it('has every station checked once, and no station has settings that it did not have', async () => {
        const requests = await stores.recheck.requests(1000);
        const whole = requests.filter(({ from, to }) => from === -8.64e15 && to === 8.64e15);
        const numbers = weather.stations.map(({ number }) => number);
        expect(whole.map(({ station }) => station)).to.have.members(numbers);
        for (const station of await stores.stations.list())
          expect(station).not.to.have.any.keys(
            'steps',
            'persistence',
            'sensorHeights',
            'cellMethods',
            'stampInterval',
            'dailyObservationTime',
            'visibility',
            'positionDecimals',
            'demo',
            'earlier',
          );
      });

      it('has every observation and verdict', async () => {
        for (const { id, number } of weather.stations) {
          const rows: Row[] = [];
          for await (const batch of stores.observations.read({
            stations: [number],
            from: -8.64e15,
            to: 8.64e15,
          }))
            rows.push(...rowsOf(batch));
          expect(rows, id).to.deep.equal(weather.observations[id]);
        }
      });

      it('has the newest values and the totals of each station', async () => {
        const numbers = weather.stations.map(({ number }) => number);
        const newest = await stores.observations.newest(numbers);
        const inventory = await stores.observations.inventory(numbers);
        for (const [index, { id }] of weather.stations.entries()) {
          expect(describeNewest(newest[index] as Newest), id).to.deep.equal(weather.newest[id]);
          expect(describeInventory(inventory[index] as Inventory), id).to.deep.equal(weather.inventory[id]);
        }
      });
    });
  }
}

for (const { name } of schemas) {
  for (const [store, install] of Object.entries(INSTALL)) {
    describe(`data of ${name} › ${store}`, () => {
      let place: Place;
      let stores: Stores;
      before(async () => {
        place = await Place.make(store);
        await install(join(VERSIONS, name), place);
        stores = await place.open();
      });
      after(async () => {
        await stores.close();
        await place.remove();
      });

      it('has every record, key, row and verdict', async () => {
        const expected = await readJson<StoredContent>(VERSIONS, name, `${store}.json`);
        const found = await contentOf(stores);
        expect(Object.values(expected.rows).every(({ rows }) => rows > 500)).to.equal(true);
        expect(found.rows).to.deep.equal(expected.rows);
        expect(found.keys).to.deep.equal(expected.keys);
        for (const [kind, records] of Object.entries(expected.records)) {
          const now = found.records[kind as RecordKind];
          expect(now, kind).to.have.length(records.length);
          // Later versions may add fields.
          expect(now, kind).to.containSubset(records);
        }
      });

      it('takes another row', async () => {
        const number = (await stores.stations.list())[0]?.number ?? 0;
        const count = async () => (await stores.observations.inventory([number]))[0]?.count;
        const before = (await count()) ?? 0;
        await stores.observations.append({
          stations: Uint32Array.of(number),
          times: Float64Array.of(Date.UTC(2025, 0, 1)),
          values: new Map([[1, Float64Array.of(3)]]),
          flags: new Map(),
        });
        expect(await count()).to.equal(before + 1);
      });
    });
  }
}

describe('the versions of the schemas', () => {
  it('have data for tests, the present ones included', async () => {
    const found = { sqlite: [] as number[], postgres: [] as number[] };
    for (const { name } of folders) {
      const file = await bytesOf(name, 'weatherd.db');
      // The header of a SQLite file has user_version at this offset.
      found.sqlite.push(file.readUInt32BE(60));
      const dump = (await bytesOf(name, 'postgres.sql')).toString();
      const applied = [...dump.matchAll(/^INSERT INTO weatherd\.migration VALUES \((\d+)\);$/gm)];
      found.postgres.push(Math.max(...applied.map(([, version]) => Number(version))));
    }
    const advice = 'make data of the present schemas, as test/fixtures/versions/README.md says';
    expect(Math.max(...found.sqlite), advice).to.equal(SQLITE_SCHEMA);
    expect(Math.max(...found.postgres), advice).to.equal(POSTGRES_SCHEMA);
  });
});

function rowsOf({ times, values, flags }: ObservationBatch): Row[] {
  return Array.from(times, (time, row): Row => {
    const sorted = [...values].filter(([, column]) => !Number.isNaN(column[row]));
    const flagged = [...flags].filter(([, column]) => column[row] !== 0);
    const valuesOfRow = Object.fromEntries(
      sorted.map(([variable, column]) => {
        const value = column[row] as number;
        return [nameOf(variable), Object.is(value, -0) ? '-0' : value];
      }),
    );
    if (flagged.length === 0) return [text(time), valuesOfRow];
    const flagsOfRow = flagged.map(
      ([variable, column]) => [nameOf(variable), column[row] as number] as const,
    );
    return [text(time), valuesOfRow, Object.fromEntries(flagsOfRow)];
  });
}

function describeNewest({ lastSeen, values }: Newest): unknown {
  const described = [...values].map(([variable, { time, value, flags }]) => {
    return [nameOf(variable), { time: text(time), value, flags }] as const;
  });
  return { lastSeen: lastSeen === null ? null : text(lastSeen), values: Object.fromEntries(described) };
}

function describeInventory({ first, last, count, variables }: Inventory): unknown {
  return {
    first: first === null ? null : text(first),
    last: last === null ? null : text(last),
    count,
    variables: variables.map(nameOf),
  };
}
