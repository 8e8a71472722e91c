import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import type { Limits } from '#adapters/http/server/limits.js';
import { ImportJobs } from '#application/observations/imports/import-jobs.js';
import { ManageImports } from '#application/observations/imports/manage-imports.js';
import { PutStations } from '#application/stations/put-stations.js';
import { FileImportFolder } from '#adapters/imports/received/file-import-folder.js';
import * as tokens from '#composition/graph/tokens.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { eventually } from '../../support/process.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';
import { zip } from '../../support/zip.js';

const LIMIT = 100_000;
const START = Date.parse('2013-03-01T00:00:00Z');
const TEXT = { 'content-type': 'text/csv' };

/** A table with a certain plan: its headings are names of variables. */
function table(rows: number, value = (row: number) => String(row % 20)): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `${new Date(START + row * 3_600_000).toISOString()},${value(row)}\n`,
  );
  return `time,air_temperature\n${lines.join('')}`;
}

interface Fields {
  readonly import: string;
  readonly state: string;
  readonly number: number | null;
  readonly [name: string]: unknown;
}

for (const [transport, load] of defaultTransport) {
  describe(`imports over HTTP › ${transport}`, () => {
    let world: World;
    let api: RunningApi;
    let folder: string;
    let basic: string;
    let elevated: string;
    const failures: unknown[] = [];

    const start = async (limits: Partial<Limits> = {}) => {
      const authorize = world.get(Authorize);
      api = await runApi(
        await load(),
        {
          endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH, undefined, LIMIT),
          authorize: (token, access) => authorize.execute({ token, ...access }),
        },
        { limits },
      );
    };
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'weatherd-imports-'));
      world = await World.make({ WEATHERD_DATA_DIR: folder, WEATHERD_IMPORT_LIMIT: '100KiB' });
      await addStation(world);
      await world.addUser('root', true);
      basic = await world.signIn('root');
      elevated = await world.elevate(basic);
      await world.get(ImportJobs).start((error) => void failures.push(error));
    });
    afterEach(async () => {
      await api.server.close(1000);
      await world.get(ImportJobs).stop();
      await rm(folder, { recursive: true });
      expect(failures.splice(0)).to.deep.equal([]);
    });

    const call = async (
      method: string,
      path: string,
      token: string,
      body?: string | Buffer,
      headers = {},
    ) => {
      const response = await fetch(`${api.url}/v1/imports${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
      const content = (await response.json()) as { error?: string; message: string; import: Fields & string };
      return { status: response.status, ...content };
    };
    const send = (bytes: string | Buffer, name = 'a.csv', token = elevated, headers: object = TEXT) =>
      call('POST', `?station=JFK&filename=${encodeURIComponent(name)}`, token, bytes, headers);
    const get = async (id: string): Promise<Fields> => (await call('GET', `/${id}`, basic)).import;
    const settled = (id: string) =>
      eventually(
        () => get(id),
        ({ state }) => !['planning', 'writing', 'undoing'].includes(state),
      );
    const answer = (id: string, body: object) =>
      call('PUT', `/${id}/answers`, basic, JSON.stringify(body), { 'content-type': 'application/json' });
    const kept = () => (existsSync(join(folder, 'imports')) ? readdirSync(join(folder, 'imports')) : []);
    const temperatures = async () => {
      const response = await fetch(
        `${api.url}/v1/stations/JFK/observations?from=2013-01-01T00:00Z&to=2014-01-01T00:00Z&variables=air_temperature`,
      );
      return await response.text();
    };

    it('plan a file, write it after it was confirmed, and undo it, so that everything is as before', async () => {
      await start();
      await record(world, '2013-03-01T02:00Z', { air_temperature: [-9, 3, 7] });
      const before = await temperatures();
      const sent = await send(table(100));
      expect(sent.status).to.equal(202);
      const ready = await settled(sent.import);
      expect(ready).to.deep.include({ state: 'ready', file: 'a.csv', stations: ['JFK'], number: null });
      const [plan] = (ready['plan'] as { plans: Record<string, unknown>[] }).plans;
      expect(plan).to.deep.include({ format: null, doubt: null, station: 'JFK' });
      expect(plan?.['columns']).to.deep.equal([
        { heading: 'air_temperature', variable: 'air_temperature', unit: '°C', reading: '°C', kind: 'value' },
      ]);
      expect(plan?.['first_rows']).to.include({ rows_seen: 100 });
      expect(await temperatures()).to.equal(before);
      const [file] = readdirSync(join(folder, 'imports', sent.import, 'file'));
      const path = join(folder, 'imports', sent.import, 'file', file ?? '');
      expect(statSync(path).mode & 0o777).to.equal(0o600);
      expect(statSync(join(folder, 'imports', sent.import)).mode & 0o777).to.equal(0o700);
      expect((await answer(sent.import, { confirm: true })).status).to.equal(200);
      const done = await settled(sent.import);
      expect(done).to.deep.include({ state: 'done', number: 1, can_undo: true, error: null });
      expect(done['counts']).to.include({ rows: 100, inserted: 97, updated: 2, unchanged: 1 });
      expect(await temperatures()).not.to.equal(before);
      const listed = (await call('GET', '', basic)) as unknown as { imports: Fields[] };
      expect(listed.imports).to.have.length(1);
      expect(listed.imports[0]).to.include({ import: sent.import, number: 1, rows: 99 });
      expect((await call('POST', `/${sent.import}/undo`, elevated)).status).to.equal(202);
      expect(await settled(sent.import)).to.deep.include({ state: 'undone' });
      expect(await temperatures()).to.equal(before);
      const audit = (await world.auditTrail()).filter((event) =>
        /observations-write|import-undo/.test(event),
      );
      expect(audit.join()).to.contain('import-undo');
      // The file is removed after an hour, and the import can still be found by its number.
      world.clock.time += 3_600_000;
      const cleaned = async () => {
        await world.get(ImportJobs).cleanUp();
        return kept();
      };
      await eventually(cleaned, (names) => names.length === 0);
      basic = await world.signIn('root');
      expect((await call('GET', `/${sent.import}`, basic)).error).to.equal('IMPORT_UNKNOWN');
      expect(await get('1')).to.deep.include({ state: 'undone', number: 1, import: '1' });
    });

    it('ask what the file does not say, and take other units, variables and options', async () => {
      await start();
      const { import: id } = await send(
        'time,Outdoor Temperature,Wind\n2013-03-01 00:00,50,10.5\n2013-03-01 01:00,59,"2,5"\n',
      );
      const asked = await settled(id);
      expect(asked.state).to.equal('asking');
      expect((asked['questions'] as { key: string }[]).map(({ key }) => key)).to.include('unit:temperature');
      expect((asked['questions'] as object[])[0]).to.deep.include({
        code: 'unit',
        values: { quantity: 'temperature', units: '°C, °F' },
      });
      expect((await answer(id, { confirm: true })).status).to.equal(200);
      expect((await settled(id)).state, 'a question is open').to.equal('asking');
      await answer(id, { answers: { 'unit:temperature': '°F', 'unit:wind': 'km/h' } });
      expect((await settled(id)).state).to.equal('ready');
      const columns = (fields: Fields) =>
        (fields['plan'] as { plans: { columns: object[] }[] }).plans[0]?.columns;
      expect(columns(await get(id))?.[0]).to.include({ variable: 'air_temperature', unit: '°F' });
      const corrected = [
        { column: 'Outdoor Temperature', variable: 'air_temperature', unit: 'degF' },
        { column: 'Wind', variable: 'wind_speed_of_gust', unit: 'm/s' },
      ];
      const { status } = await answer(id, {
        options: { columns: corrected, time_zone: 'utc' },
        confirm: true,
      });
      expect(status).to.equal(200);
      const done = await settled(id);
      expect(done).to.deep.include({ state: 'done', error: null });
      expect(columns(done)?.[1]).to.include({ variable: 'wind_speed_of_gust', unit: 'm/s' });
      expect(done['rejections']).to.deep.equal([
        {
          file: null,
          line: 3,
          column: 'Wind',
          problem: '"2,5" has a comma: to read it as a decimal sign, use `decimal`',
          reasons: [{ code: 'cell-comma', values: { text: '"2,5"' } }],
        },
      ]);
      expect(await temperatures())
        .to.contain('10')
        .and.contain('15');
      expect((await answer(id, { confirm: true })).error, 'it is done').to.equal('IMPORT_STATE');
    });

    it('report what is wrong with a file or an option, and can be corrected', async () => {
      await start();
      const { import: id } = await send('a;b\n1;2\n');
      const refused = await settled(id);
      expect(refused.state).to.equal('asking');
      expect(refused['error']).to.deep.include({ code: 'REQUEST_INVALID' });
      expect(JSON.stringify(refused)).not.to.contain(folder);
      expect((refused['error'] as { message: string }).message)
        .to.contain('Name it with `time_column`')
        .and.not.contain('--');
      expect(refused['error']).to.deep.include({
        reasons: [
          { code: 'time-column-unknown', values: {} },
          { code: 'columns-are', values: { columns: 'a, b' } },
        ],
      });
      for (const options of [
        { columns: [{ column: 'b', variable: 'nothing' }] },
        { units: { wind: 'furlongs' } },
        { date: '2013-02-30' },
        { encoding: 'ebcdic' },
        { rejections: '/etc/passwd' },
        { columns: [{ column: 'b', variable: 'air_temperature', kind: 'counter' }] },
      ])
        expect((await answer(id, { options })).error, JSON.stringify(options)).to.equal('REQUEST_INVALID');
      const options = {
        columns: [{ column: 'b', variable: 'air_temperature' }],
        time_column: ['a'],
        time_format: ['unix'],
      };
      await answer(id, { options });
      expect(await settled(id)).to.deep.include({ state: 'ready', options });
      expect((await call('DELETE', `/${id}`, basic)).status).to.equal(200);
      expect(kept()).to.deep.equal([]);
      expect((await call('GET', `/${id}`, basic)).error).to.equal('IMPORT_UNKNOWN');
    });

    it('need an elevated administrator at the first request only, and an administrator afterwards', async () => {
      await start();
      await world.addUser('reader');
      const reader = await world.signIn('reader');
      expect((await send(table(2), 'a.csv', basic)).error).to.equal('AUTH_ELEVATION_REQUIRED');
      expect((await send(table(2), 'a.csv', await world.elevate(reader))).error).to.equal('AUTH_NOT_ALLOWED');
      expect((await send(table(2), 'a.csv', 'x')).error).to.equal('AUTH_TOKEN_INVALID');
      expect(kept()).to.deep.equal([]);
      const { import: id } = await send(table(2));
      await settled(id);
      for (const [method, path, body] of [
        ['GET', ''],
        ['GET', `/${id}`],
        ['GET', `/${id}/events`],
        ['PUT', `/${id}/answers`, '{"confirm":true}'],
        ['DELETE', `/${id}`],
      ] as const) {
        const headers = body === undefined ? {} : { 'content-type': 'application/json' };
        const refused = await call(method, path, reader, body, headers);
        expect(refused.error, `${method} ${path}`).to.equal('AUTH_NOT_ALLOWED');
      }
      // The elevation of five minutes is over.
      world.clock.time += 600_000;
      expect((await send(table(2))).error).to.be.oneOf(['AUTH_TOKEN_INVALID', 'AUTH_ELEVATION_REQUIRED']);
      await answer(id, { confirm: true });
      expect((await settled(id)).state).to.equal('done');
      expect((await call('POST', `/${id}/undo`, basic)).error).to.equal('AUTH_ELEVATION_REQUIRED');
      expect((await settled(id)).state).to.equal('done');
    });

    it('refuse a second file, an unknown station, an empty and a too large file, and keep nothing of them', async () => {
      await start();
      const unknown = await call('POST', '?station=NONE&filename=a', elevated, 'x', TEXT);
      expect([unknown.status, unknown.error]).to.deep.equal([404, 'STATION_UNKNOWN']);
      const large = await send('x'.repeat(LIMIT + 1));
      expect([large.status, large.error]).to.deep.equal([413, 'BODY_TOO_LARGE']);
      const chunked = await fetch(`${api.url}/v1/imports?station=JFK&filename=a`, {
        method: 'POST',
        headers: { authorization: `Bearer ${elevated}` },
        body: new Blob(['x'.repeat(LIMIT + 1)]).stream(),
        duplex: 'half',
      });
      expect(chunked.status).to.equal(413);
      expect((await send('')).error).to.equal('REQUEST_INVALID');
      expect(kept()).to.deep.equal([]);
      const [one, two] = await Promise.all([send(table(2)), send(table(2))]);
      expect([one.status, two.status].toSorted((a, b) => a - b)).to.deep.equal([202, 409]);
      const [open, refused] = one.status === 202 ? [one, two] : [two, one];
      expect(refused.error).to.equal('IMPORT_RUNNING');
      expect(refused.message).to.contain(open.import);
      expect(kept()).to.deep.equal([open.import]);
      for (const [method, path] of [
        ['GET', '/nothing'],
        ['GET', '/17'],
        ['DELETE', '/..%2f..'],
        ['POST', '/nothing/undo'],
        ['GET', '/nothing/events'],
      ] as const)
        expect((await call(method, path, elevated)).error, path).to.equal('IMPORT_UNKNOWN');
      await settled(open.import);
      expect((await call('POST', `/${open.import}/undo`, elevated)).error).to.equal('IMPORT_STATE');
    });

    it('answer 507 when the disk is full, and keep nothing', async () => {
      const full = new FileImportFolder(join(folder, 'imports'), () => Promise.resolve(0));
      (await world.container.rebindAsync(tokens.ImportFolder)).toConstantValue(full);
      await start();
      const refused = await send(table(2));
      expect([refused.status, refused.error]).to.deep.equal([507, 'DISK_FULL']);
      expect(kept()).to.deep.equal([]);
      expect(((await call('GET', '', basic)) as unknown as { imports: [] }).imports).to.deep.equal([]);
    });

    it('keep nothing of a file whose connection is lost, and take the next file', async () => {
      await start();
      const { hostname, port } = new URL(api.url);
      const socket = connect(Number(port), hostname);
      const head = [
        'POST /v1/imports?station=JFK&filename=lost.csv HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${elevated}`,
        'Content-Length: 50000',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${table(50)}`);
      await eventually(
        () => Promise.resolve(kept()),
        (names) => names.length === 1,
      );
      socket.destroy();
      await eventually(
        () => Promise.resolve(kept()),
        (names) => names.length === 0,
      );
      expect((await send(table(2))).status).to.equal(202);
    });

    it('take a file that arrives longer than other requests may, and cut other bodies off', async () => {
      await start({ headersTimeout: 200, requestTimeout: 300, checkInterval: 50 });
      const slowly = async (path: string, pieces: number) => {
        const { hostname, port } = new URL(api.url);
        const socket = connect(Number(port), hostname);
        let reply = '';
        socket.on('data', (bytes) => (reply += String(bytes)));
        const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(reply)));
        const body = table(pieces);
        const head = [
          `POST ${path} HTTP/1.1`,
          'Host: localhost',
          'Connection: close',
          'Content-Type: application/json',
          `Authorization: Bearer ${elevated}`,
          `Content-Length: ${body.length}`,
        ];
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        for (const line of body.match(/[^\n]*\n/g) ?? []) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          if (socket.writable) socket.write(line);
        }
        return await ended;
      };
      const [imported, other] = await Promise.all([
        slowly('/v1/imports?station=JFK&filename=slow.csv', 8),
        slowly('/v1/auth/elevate/', 8),
      ]);
      expect(imported).to.match(/^HTTP\/1.1 202 /);
      expect(other).to.match(/^HTTP\/1.1 408 /);
    });

    it('unpack archives as far as the limit: not an archive that unpacks to much more, or to very many files', async () => {
      await start();
      const line = '2013-03-01T00:00:00Z,1\n';
      const bomb = `time,air_temperature\n${line.repeat(30_000)}`;
      const many = Object.fromEntries(
        Array.from({ length: 1001 }, (_, member) => [`${member}`, Buffer.from('x')]),
      );
      for (const [name, bytes, reason] of [
        ['bomb.csv.gz', gzipSync(bomb), /after decompression/],
        ['bomb.zip', zip({ 'a.csv': Buffer.from(bomb) }), /after decompression/],
        ['many.zip', zip(many), /more than 1000 members/],
        ['cut.zip', zip({ 'a.csv': Buffer.from(bomb) }).subarray(0, 300), /cannot be decompressed/],
      ] as const) {
        const { import: id } = await send(bytes, name);
        let fields = await settled(id);
        if (fields.state === 'ready') {
          await answer(id, { confirm: true });
          fields = await settled(id);
          expect(fields.state, name).to.equal('failed');
        }
        expect((fields['error'] as { message: string } | null)?.message, name).to.match(reason);
        expect(JSON.stringify(fields)).not.to.contain(folder);
        await call('DELETE', `/${id}`, basic);
      }
      const two = zip({
        'a.csv': Buffer.from(table(3)),
        'b.csv': Buffer.from(table(5, () => '7')),
        'c.txt': Buffer.from('hello\n'),
      });
      const { import: id } = await send(two, 'two.zip');
      const ready = await settled(id);
      expect(ready['plan']).to.deep.include({ files: 2 });
      await answer(id, { confirm: true });
      expect((await settled(id))['counts']).to.include({ rows: 8 });
    });

    it('use no part of the name of a file as a path, a header or a text with a meaning', async () => {
      await start();
      for (const [name, shown] of [
        ['../../etc/passwd', 'passwd'],
        ['..\\..\\boot.ini', 'boot.ini'],
        ['..', 'file'],
        ['\0\r\nset-cookie: a=b.csv', '___set-cookie_ a=b.csv'.replace('=', '_')],
        ['<img src=x onerror=alert(1)>.csv', '_img src_x onerror_alert(1)_.csv'],
        ['import.json', 'import.json'],
        ['Wetter März.csv', 'Wetter März.csv'],
        ['x'.repeat(900), 'x'.repeat(60)],
      ] as const) {
        const { import: id } = await send(table(2), name);
        const fields = await settled(id);
        expect([fields['file'], fields.state], name).to.deep.equal([shown, 'ready']);
        expect(readdirSync(join(folder, 'imports', id, 'file'))).to.deep.equal([shown]);
        await call('DELETE', `/${id}`, basic);
      }
      expect(readdirSync(folder).filter((entry) => entry !== 'imports')).to.deep.equal([]);
    });

    it('stop when they are undone while they write, and are undone by number', async () => {
      await start();
      await world.get(PutStations).execute(
        [
          {
            id: 'B',
            name: 'B',
            latitude: 1,
            longitude: 1,
            elevation: 0,
            timeZone: 'UTC',
            identifiers: {},
            reportingInterval: null,
            limits: {},
          },
        ],
        CALLER,
      );
      const before = await temperatures();
      const { import: id } = await send(table(3000));
      await settled(id);
      await answer(id, { confirm: true });
      expect((await call('POST', `/${id}/undo`, elevated)).status).to.equal(202);
      expect((await settled(id)).state).to.equal('undone');
      expect(await temperatures()).to.equal(before);
      const second = await send(table(10));
      await settled(second.import);
      await answer(second.import, { confirm: true });
      const { number } = await settled(second.import);
      await call('DELETE', `/${second.import}`, basic);
      expect((await call('POST', `/${number}/undo`, elevated)).status).to.equal(202);
      expect((await settled(String(number))).state).to.equal('undone');
      expect(await temperatures()).to.equal(before);
    });

    it('report their changes as events', async () => {
      await start();
      const { import: id } = await send(table(2));
      await settled(id);
      const abort = new AbortController();
      const response = await fetch(`${api.url}/v1/imports/${id}/events`, {
        headers: { authorization: `Bearer ${basic}` },
        signal: abort.signal,
      });
      expect(response.headers.get('content-type')).to.equal('text/event-stream');
      const states: string[] = [];
      let text = '';
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes as Uint8Array, { stream: true });
        const found = [...text.matchAll(/^data: (.*)$/gm)].map(
          ([, data = '']) => (JSON.parse(data) as Fields).state,
        );
        if (found.length === states.length) continue;
        states.splice(0, states.length, ...found);
        if (found.at(-1) === 'ready') await answer(id, { confirm: true });
        if (found.at(-1) === 'done') await call('DELETE', `/${id}`, basic);
      }
      expect([states[0], states.at(-1)]).to.deep.equal(['ready', 'done']);
      world.get(ManageImports).close();
    });
  });
}
