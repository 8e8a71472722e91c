import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import type { RecordKind } from '#application/record-forms.js';
import type { Service } from '#composition/service.js';
import { COMPUTED, elevatedToken, type GoldenReply, repliesTo, sendRows, STORED } from '../../support/golden-replies.js';
import { Place } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { Workplace } from '../../support/process.js';
import { contentOf, type StoredContent } from '../../support/stored-content.js';

const VERSIONS = fileURLToPath(new URL('../../../../test/fixtures/versions/', import.meta.url));

/** Those that test/support/make-version.ts has compressed. */
const BUILDS = (await readdir(VERSIONS)).filter((name) => existsSync(join(VERSIONS, name, 'weatherd.db.br')));

interface Golden {
  readonly content: StoredContent;
  readonly stored: readonly GoldenReply[];
}

const unpacked = async (...path: readonly string[]) =>
  brotliDecompressSync(await readFile(`${join(VERSIONS, ...path)}.br`));
const readGolden = async <T>(...path: readonly string[]) =>
  JSON.parse((await unpacked(...path)).toString()) as T;

/** Ways in which the data of a build come to a later one, by the store. */
const WAYS: Readonly<Record<string, readonly [store: string, install: (build: string, place: Place) => Promise<void>]>> = {
  'its data folder': [
    'sqlite',
    async (build, { folder }) => {
      await writeFile(join(folder, 'weatherd.db'), await unpacked(build, 'weatherd.db'));
      await mkdir(join(folder, 'keys'));
      await cp(join(VERSIONS, build, 'keys'), join(folder, 'keys'), { recursive: true });
    },
  ],
  'its backup': [
    'sqlite',
    async (build, { folder }) => {
      const backup = await Workplace.make();
      const file = join(backup.folder, 'backup.db');
      await writeFile(file, await unpacked(build, 'backup.db'));
      const { status, stderr } = await backup.run(['restore', file], '', { WEATHERD_DATA_DIR: folder });
      expect(status, stderr).to.equal(0);
      await backup.remove();
    },
  ],
  'its PostgreSQL dump': [
    'postgres',
    async (build, { databaseUrl }) => {
      const dump = (await unpacked(build, 'postgres.sql')).toString();
      await (await postgresServer()).run(databaseUrl, dump);
    },
  ],
};

/** The paths at which `found` differs from `expected`. It may have more fields. */
function differences(expected: unknown, found: unknown, path = ''): string[] {
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (expected.length !== found.length) return [`${path}: ${found.length} instead of ${expected.length} entries`];
    return expected.flatMap((one, index) => differences(one, found[index], `${path}[${index}]`));
  }
  if (typeof expected !== 'object' || typeof found !== 'object' || expected === null || found === null)
    return Object.is(expected, found) ? [] : [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(value, (found as Record<string, unknown>)[name], `${path}.${name}`),
  );
}

for (const build of BUILDS) {
  for (const [way, [store, install]] of Object.entries(WAYS)) {
    describe(`what ${build} has written, from ${way}`, () => {
      let place: Place;
      let golden: Golden;
      before(async () => {
        place = await Place.make(store);
        await install(build, place);
        golden = await readGolden(build, `${store}.json`);
      });
      after(() => place.remove());

      it('has every record, key, row and verdict', async () => {
        const stores = await place.open();
        const found = await contentOf(stores);
        await stores.close();
        const { records, keys, rows } = golden.content;
        expect(Object.values(rows).reduce((sum, one) => sum + one.rows, 0)).to.be.above(7000);
        expect(differences(rows, found.rows)).to.deep.equal([]);
        expect(found.keys).to.deep.equal(keys);
        for (const [kind, expected] of Object.entries(records))
          expect(differences(expected, found.records[kind as RecordKind], kind)).to.deep.equal([]);
      });

      describe('and is served', () => {
        let service: Service;
        let token: string;
        before(async () => {
          service = await place.serve();
          token = await elevatedToken(service.externalUrl);
        });
        after(() => service.stop());

        it('gives the same replies of what is stored', async () => {
          const found = await repliesTo(service.externalUrl, token, STORED);
          expect(golden.stored.map(({ path }) => path)).to.deep.equal(STORED);
          expect(differences(golden.stored, found)).to.deep.equal([]);
        });

        it('gives the same replies of what is computed, until a rule is changed on purpose', async () => {
          const found = await repliesTo(service.externalUrl, token, COMPUTED);
          if (process.env['UPDATE_GOLDEN'] !== undefined && way === 'its data folder') {
            const text = brotliCompressSync(JSON.stringify(found));
            await writeFile(join(VERSIONS, build, 'computed.json.br'), text);
          }
          const expected = await readGolden<GoldenReply[]>(build, 'computed.json');
          expect(differences(expected, found).slice(0, 10), 'UPDATE_GOLDEN=1 accepts changes').to.deep.equal([]);
        });

        it('is written on', async () => {
          const path = '/v1/stations/sent/observations?from=2025-01-01T00:00:00Z&to=2025-02-01T00:00:00Z';
          const rows = { time: ['2025-01-02T00:00:00Z', '2025-01-03T00:00:00Z'], air_temperature: [1, 2] };
          await sendRows(service.externalUrl, token, 'sent', rows);
          const [reply] = await repliesTo(service.externalUrl, token, [path]);
          expect(reply?.body).to.have.nested.property('observations.air_temperature').that.deep.equals([1, 2]);
        });
      });
    });
  }
}
