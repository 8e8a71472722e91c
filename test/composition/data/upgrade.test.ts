import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import * as tokens from '#composition/graph/tokens.js';
import { startService } from '#composition/service.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { JFK } from '../../contracts/stores/station-store.js';
import {
  ADMINISTRATOR,
  COMPUTED,
  elevatedToken,
  type GoldenReply,
  PASSWORD,
  repliesTo,
} from '../../support/golden-replies.js';
import { unpackService } from '../../support/packed-service.js';
import { Place, silentLog } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { eventually, type Served, statusOf, Workplace } from '../../support/process.js';
import { domainErrorOf } from '../../support/rejection.js';

const VERSIONS = fileURLToPath(new URL('../../../../test/fixtures/versions/', import.meta.url));
const BEGIN = Date.UTC(2024, 0, 1);
const BUILDS = (await readdir(VERSIONS)).filter((name) => existsSync(join(VERSIONS, name, 'service.br')));
/** Number of rows that each build writes before the other one comes, beside it, and after it has ended. */
const ROWS = 40;

async function putStation(base: string, token: string, id: string): Promise<void> {
  const reply = await fetch(`${base}/v1/stations/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: id, latitude: 1, longitude: 1, time_zone: 'UTC' }),
  });
  expect(reply.status, await reply.text()).to.equal(201);
}

/** Writes rows of one station, one after the other, and remembers which were acknowledged. */
class Writer {
  readonly #base: string;
  readonly #token: string;
  readonly #station: string;
  readonly acknowledged: string[] = [];
  /** Status of each refusal. */
  readonly refused: number[] = [];
  #next: number;

  constructor(base: string, token: string, station: string, first: number) {
    [this.#base, this.#token, this.#station, this.#next] = [base, token, station, first];
  }

  async write(count: number): Promise<void> {
    for (let row = 0; row < count; row += 1) {
      const time = new Date(BEGIN + this.#next * 60_000).toISOString().replace('.000', '');
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` };
      const body = JSON.stringify({ time: [time], air_temperature: [this.#next / 10] });
      const url = `${this.#base}/v1/stations/${this.#station}/observations`;
      const reply = await fetch(url, { method: 'POST', headers, body });
      await reply.arrayBuffer();
      if (reply.ok) this.acknowledged.push(time);
      else this.refused.push(reply.status);
      this.#next += 1;
    }
  }
}

/** The value without the fields that `known` lacks: a later version may add fields. */
function onlyKnown(value: unknown, known: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(known))
    return value.map((item, index) => onlyKnown(item, (known as unknown[])[index]));
  if (typeof value !== 'object' || value === null || typeof known !== 'object' || known === null) return value;
  const fields = Object.entries(value).filter(([name]) => name in known);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, onlyKnown(field, (known as Record<string, unknown>)[name])]),
  );
}

describe('an upgrade', () => {
  for (const build of BUILDS) {
    it(`from ${build} with both side by side on one PostgreSQL loses nothing that either has acknowledged`, async () => {
      const place = await Place.make('postgres');
      const former = await Workplace.make(await unpackService(join(VERSIONS, build, 'service.br'), place.folder));
      const settings = { WEATHERD_DATABASE_URL: place.databaseUrl, WEATHERD_SITE: 'false' };
      const made = await former.runProcess(['init', ADMINISTRATOR], PASSWORD, settings);
      expect(made.status, made.stderr).to.equal(0);
      const served: Served = await former.serve(settings);
      const token = await elevatedToken(served.external);
      for (const id of ['shared', 'other']) await putStation(served.external, token, id);
      const old = new Writer(served.external, token, 'shared', 0);
      const oldOther = new Writer(served.external, token, 'other', 0);
      await Promise.all([old.write(ROWS), oldOther.write(ROWS)]);
      expect(old.refused).to.deep.equal([]);
      // The new build migrates while the old one writes.
      const [service] = await Promise.all([
        startService(place.config({ WEATHERD_SITE: 'false' }), silentLog),
        old.write(ROWS),
        oldOther.write(ROWS),
      ]);
      // The token of one build is valid for the other.
      // Half a minute beside the rows of the old one, on the same day.
      const fresh = new Writer(service.externalUrl, token, 'shared', 0.5);
      await Promise.all([old.write(2 * ROWS), oldOther.write(2 * ROWS), fresh.write(2 * ROWS)]);
      served.child.kill('SIGTERM');
      expect((await served.ended).status).to.equal(0);
      await fresh.write(ROWS);
      expect(fresh.refused).to.deep.equal([]);
      // Once the schema is newer, the old one may refuse, and does so clearly.
      for (const status of [...old.refused, ...oldOther.refused]) expect(status).to.equal(503);
      const timesOf = async (station: string) => {
        const path = `/v1/stations/${station}/observations?from=2023-01-01T00:00:00Z&to=2025-01-01T00:00:00Z`;
        const [{ body }] = (await repliesTo(service.externalUrl, token, [path])) as [GoldenReply];
        return (body as { observations: { time: string[] } }).observations.time;
      };
      expect(await timesOf('shared')).to.include.members([...old.acknowledged, ...fresh.acknowledged]);
      expect(await timesOf('other')).to.include.members(oldOther.acknowledged);
      await service.stop();
      expect(await former.run(['check'], '', settings)).to.include({ status: 0, stderr: '' });
      await former.remove();
      await place.remove();
    });
  }

  for (const build of BUILDS) {
    it(`from ${build} answers with its own numbers to caches and from tables that ${build} has made`, async () => {
      const place = await Place.make('sqlite');
      const unpacked = async (name: string) => brotliDecompressSync(await readFile(join(VERSIONS, build, `${name}.br`)));
      await writeFile(join(place.folder, 'weatherd.db'), await unpacked('weatherd.db'));
      await mkdir(join(place.folder, 'keys'));
      await cp(join(VERSIONS, build, 'keys'), join(place.folder, 'keys'), { recursive: true });
      const installed = await Workplace.make();
      const former = await Workplace.make(await unpackService(join(VERSIONS, build, 'service.br'), installed.folder));
      const served = await former.serve({ WEATHERD_DATA_DIR: place.folder, WEATHERD_SITE: 'false' });
      const etagsAt = async (base: string, token: string, known: readonly (string | null)[] = []) => {
        const replies: { readonly status: number; readonly etag: string | null }[] = [];
        for (const [index, path] of COMPUTED.entries()) {
          const etag = known[index];
          const headers = {
            authorization: `Bearer ${token}`,
            'accept-encoding': 'identity',
            ...(etag != null && { 'if-none-match': etag }),
          };
          const reply = await fetch(`${base}${path}`, { headers });
          await reply.arrayBuffer();
          replies.push({ status: reply.status, etag: reply.headers.get('etag') });
        }
        return { status: replies.map(({ status }) => status), etags: replies.map(({ etag }) => etag) };
      };
      const { etags } = await etagsAt(served.external, await elevatedToken(served.external));
      expect(etags).to.have.length(COMPUTED.length).and.not.include(null);
      const database = new Sqlite(join(place.folder, 'weatherd.db'));
      const tables = () => Promise.resolve(database.prepare('SELECT count(*) FROM day_table').pluck().get() as number);
      await eventually(tables, (count) => count > 10);
      database.close();
      served.child.kill('SIGTERM');
      expect((await served.ended).status).to.equal(0);

      const service = await place.serve();
      const base = service.externalUrl;
      const token = await elevatedToken(base);
      const golden = JSON.parse((await unpacked('computed.json')).toString()) as GoldenReply[];
      expect((await etagsAt(base, token, etags)).status, 'former ETags').to.deep.equal(COMPUTED.map(() => 200));
      expect(onlyKnown(await repliesTo(base, token, COMPUTED), golden)).to.deep.equal(golden);
      const dailyAggregates = service.application.container.get(tokens.DailyAggregateStore);
      await eventually(async () => (await dailyAggregates.outdated(COMPUTATION_RULES)).length, (left) => left === 0);
      expect(onlyKnown(await repliesTo(base, token, COMPUTED), golden)).to.deep.equal(golden);
      const now = await etagsAt(base, token);
      expect((await etagsAt(base, token, now.etags)).status, 'own ETags').to.deep.equal(COMPUTED.map(() => 304));
      await service.stop();
      await former.remove();
      await installed.remove();
      await place.remove();
    });
  }

  for (const [store, raise] of Object.entries<(place: Place) => Promise<void>>({
    postgres: async ({ databaseUrl }) => {
      await (await postgresServer()).run(databaseUrl, 'INSERT INTO weatherd.migration VALUES (1000)');
    },
    sqlite: async ({ folder }) => {
      const database = new Sqlite(join(folder, 'weatherd.db'));
      database.pragma('user_version = 1000');
      database.close();
    },
  })) {
    it(`makes a running service refuse to write, and be ended, once a newer one has changed the schema: ${store}`, async () => {
      const place = await Place.make(store);
      const service = await place.serve();
      const liveliness = () => statusOf(`${service.internalUrl}/v1/health/liveliness`);
      const stations = service.application.container.get(tokens.StationStore);
      expect(await liveliness()).to.equal(200);
      await raise(place);
      await eventually(liveliness, (status) => status === 503);
      const refusal = await domainErrorOf(stations.put([JFK]), 'STORE_UNAVAILABLE');
      expect((refusal.cause as Error).message).to.match(/version 1000/);
      expect(await service.stop()).to.equal(true);
      await place.remove();
    });
  }
});
