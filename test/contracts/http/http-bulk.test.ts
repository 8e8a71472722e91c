import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { internalGuard } from '#adapters/http/internal/guard.js';
import { exchangeRaw, header, parseReplies, type RawReply } from '#transport-suite/raw-http.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import { makeInternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import {
  body,
  end,
  errorOf,
  FRAMES,
  frame,
  observations,
  receiptOf,
  rowsOf,
  type SketchRow,
  stationRecord,
  stationsFrame,
  parseFrames,
  parseBody,
} from '../../support/frame-sketch.js';
import { eventually } from '../../support/process.js';
import { addStation } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const START = Date.UTC(2013, 0, 1);
const MINUTE = 60_000;
const JSON_ONLY = 'Accept: application/json';
const SECRET = 's'.repeat(40);

for (const [name, load] of serviceTransports) {
  describe(`bulk › internal on ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let store: ObservationStore;

    beforeEach(async () => {
      world = await World.make();
      world.clock.time = START + 365 * 86_400_000;
      for (const id of ['a', 'b']) await addStation(world, { id });
      store = world.stores.observations;
      running = await runApi(await load(), { endpoints: makeInternalEndpoints(world.container, false) });
    });
    afterEach(() => running.server.close(100));

    const ask = async (
      method: string,
      path: string,
      headers: readonly string[] = [],
      content?: Buffer,
    ): Promise<RawReply & { readonly bytes: Buffer }> => {
      const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
      if (content !== undefined) lines.push(`Content-Length: ${content.length}`);
      const request = Buffer.concat([
        Buffer.from(`${lines.join('\r\n')}\r\n\r\n`),
        content ?? Buffer.alloc(0),
      ]);
      const [reply] = parseReplies(await exchangeRaw(running.url, request));
      if (reply === undefined) throw new Error('no reply');
      return { ...reply, bytes: Buffer.from(reply.body, 'latin1') };
    };
    const get = (path: string, ...headers: string[]) => ask('GET', path, headers);
    /** The server has had many turns afterwards: what it could do without waiting for somebody is done. */
    const otherRequests = async () => {
      for (let count = 0; count < 50; count += 1) expect((await get('/v1/health/info')).status).to.equal(200);
    };
    const post = (content: Buffer, path = '/v1/observations', ...headers: string[]) =>
      ask('POST', path, [`Content-Type: ${FRAMES}`, ...headers], content);
    const stored = async () => rowsOf(parseBody((await get('/v1/observations')).bytes));
    const rows = (count: number, from = 0): SketchRow[] =>
      Array.from({ length: count }, (_, row) => ({
        station: 1 + (row % 2),
        time: START + (from + row) * MINUTE,
        values: [row / 8, row % 360],
      }));
    const columns = [{ variable: 1 }, { variable: 7 }];
    const expectError = (reply: { status: number; bytes: Buffer }, status: number, code: string) => {
      const { status: told, code: named, message } = errorOf(parseBody(reply.bytes));
      expect([reply.status, told, named]).to.deep.equal([status, status, code]);
      return message;
    };

    it('stores rows and returns them, by station and time', async () => {
      const sent = rows(100).toReversed();
      const reply = await post(
        body(observations(columns, sent.slice(0, 40)), observations(columns, sent.slice(40))),
      );
      expect([reply.status, header(reply, 'content-type')]).to.deep.equal([200, FRAMES]);
      expect(receiptOf(parseBody(reply.bytes))).to.deep.equal({
        inserted: 100,
        updated: 0,
        unchanged: 0,
        rejected: 0,
        listed: [],
      });
      const found = await stored();
      const sorted = sent.toSorted((x, y) => x.station - y.station || Number(x.time) - Number(y.time));
      expect(found.map(({ station, time, values }) => [station, time, values[1], values[7]])).to.deep.equal(
        sorted.map(({ station, time, values }) => [station, time, ...values]),
      );
      expect(receiptOf(parseBody((await post(body(observations(columns, sent)))).bytes))).to.include({
        unchanged: 100,
      });
    });

    it('filters by stations, variables and times, and returns quality on request', async () => {
      await post(
        body(
          observations(
            [{ variable: 1 }, { variable: 3 }],
            [
              { station: 1, time: START, values: [4, 50] },
              { station: 1, time: START + MINUTE, values: [400, 51] },
              { station: 2, time: START, values: [5, Number.NaN] },
            ],
          ),
        ),
      );
      const asked = async (query: string) =>
        rowsOf(parseBody((await get(`/v1/observations?${query}`)).bytes));
      expect(await asked(`stations=1&variables=3,1&from=${START + 1}&quality=1`)).to.deep.equal([
        { station: 1, time: START + MINUTE, values: { 3: 51, 1: 400 }, quality: { 3: 1, 1: 3 } },
      ]);
      expect(await asked(`variables=3&to=${START + MINUTE}`)).to.deep.equal([
        { station: 1, time: START, values: { 3: 50 }, quality: {} },
      ]);
      const absent = await asked(`stations=2&variables=1,20&quality=1`);
      expect(absent).to.deep.equal([{ station: 2, time: START, values: { 1: 5 }, quality: { 1: 1, 20: 0 } }]);
      expect(await asked('stations=&variables=&from=-1000')).to.have.length(3);
      const often = (number: number) => Array.from({ length: 1000 }, () => number).join();
      expect(await asked(`stations=${often(2)}&variables=${often(1)}`)).to.have.length(1);
      expect(parseBody((await get('/v1/observations?stations=2&from=99999999999999')).bytes)).to.deep.equal(
        [],
      );
    });

    it('returns the newest row of each station', async () => {
      await post(body(observations(columns, rows(10))));
      const newest = rowsOf(parseBody((await get('/v1/observations/newest')).bytes));
      expect(newest.map(({ station, time }) => [station, time])).to.deep.equal([
        [1, START + 8 * MINUTE],
        [2, START + 9 * MINUTE],
      ]);
      const [one] = rowsOf(parseBody((await get('/v1/observations/newest?stations=2&quality=1')).bytes));
      expect(one).to.deep.include({ station: 2, values: { 1: 9 / 8, 7: 9 }, quality: { 1: 1, 7: 1 } });
      expectError(await get('/v1/observations/newest?stations=3'), 404, 'STATION_UNKNOWN');
    });

    it('lists, creates and changes stations', async () => {
      await post(body(observations(columns, rows(3))));
      const [made] = parseBody(
        (
          await post(
            body(stationsFrame(stationRecord({ id: 'new', name: 'Ås' }), stationRecord({ id: 'a' }))),
            '/v1/stations',
          )
        ).bytes,
      );
      const numbers = [0, 256].map((at) => made?.payload.readUInt32LE(at));
      expect(numbers).to.deep.equal([3, 1]);
      expect(made?.payload.readBigUInt64LE(256 + 48)).to.equal(2n);
      const [list] = parseBody((await get('/v1/stations')).bytes);
      expect([list?.kind, list?.rows]).to.deep.equal([2, 3]);
      expect(list?.payload.readBigInt64LE(32)).to.equal(BigInt(START));
      expect(list?.payload.toString('utf8', 512 + 120, 512 + 123)).to.equal('Ås');
      expect(list?.payload.readBigInt64LE(512 + 40)).to.equal(-(2n ** 63n));
      const bad = await post(
        body(stationsFrame(stationRecord({ id: 'ok' }), stationRecord({ id: 'no good' }))),
        '/v1/stations',
      );
      expect(expectError(bad, 400, 'REQUEST_INVALID')).to.match(/^Station 1: /);
      const cut = await post(stationsFrame(stationRecord({ id: 'ok' })), '/v1/stations');
      expect(expectError(cut, 400, 'FRAME_INVALID')).to.contain('Nothing has been changed.');
      expect(await world.stores.stations.list()).to.have.length(3);
    });

    it('reads a body in the smallest pieces, and in chunks', async () => {
      const content = body(observations(columns, rows(5)), observations(columns, rows(4, 5)));
      const chunks = Buffer.concat(
        [content.subarray(0, 1), content.subarray(1, 300), content.subarray(300)].flatMap((part) => [
          Buffer.from(`${part.length.toString(16)}\r\n`),
          part,
          Buffer.from('\r\n'),
        ]),
      );
      const head = `POST /v1/observations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${FRAMES}\r\n`;
      const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
      const text = await exchangeRaw(
        running.url,
        Buffer.concat([Buffer.from(chunked), chunks, Buffer.from('0\r\n\r\n')]),
      );
      const [reply] = parseReplies(text);
      expect(receiptOf(parseBody(Buffer.from(reply?.body ?? '', 'latin1')))).to.include({ inserted: 9 });
      const socket = await open();
      let received = '';
      socket.setEncoding('latin1').on('data', (part: string) => (received += part));
      socket.write(`${head}Content-Length: ${content.length}\r\n\r\n`);
      for (let at = 0; at < content.length; at += 7) {
        socket.write(content.subarray(at, at + 7));
        if (at % 70 === 0) await setImmediate();
      }
      await eventually(async () => socket.closed, Boolean);
      expect(receiptOf(parseBody(Buffer.from(parseReplies(received)[0]?.body ?? '', 'latin1')))).to.include({
        unchanged: 9,
      });
    });

    it('refuses a malformed frame with its place, keeps those before it, and continues to serve', async () => {
      const good = observations(columns, rows(6));
      const bad = observations(columns, rows(3, 6));
      bad[100] = (bad[100] ?? 0) ^ 4;
      const reply = await post(body(good, bad, good));
      const message = expectError(reply, 400, 'FRAME_INVALID');
      expect(message).to.contain(
        `Frame 1, counted from 0, at byte ${good.length}: the CRC of the payload is`,
      );
      expect(message).to.contain('The valid rows among the 6 rows before the fault have been written.');
      expect(await stored()).to.have.length(6);
      const none = expectError(await post(Buffer.alloc(0)), 400, 'FRAME_INVALID');
      expect(none).to.contain('without an end frame').and.contain('Nothing has been written.');
    });

    it('returns errors and receipts in JSON on request', async () => {
      const broken = await post(Buffer.from('{"not": "a frame"}'), undefined, JSON_ONLY);
      expect(header(broken, 'content-type')).to.equal('application/json');
      expect(JSON.parse(broken.body)).to.deep.include({ success: false, code: 400, error: 'FRAME_INVALID' });
      const sent = body(observations(columns, [...rows(2), { station: 9, time: START, values: [1, 2] }]));
      const reply = await post(sent, undefined, 'Accept: application/json;q=0.9, text/html');
      expect(JSON.parse(reply.body)).to.deep.equal({
        success: true,
        code: 200,
        message: 'Written.',
        inserted: 2,
        updated: 0,
        unchanged: 0,
        rejected: 1,
        rejections: [{ row: 2, variable: 0, reason: 'station' }],
      });
      for (const accept of ['*/*', `application/json;q=0.1, ${FRAMES}`, 'text/html']) {
        const frames = await post(sent, undefined, `Accept: ${accept}`);
        expect(receiptOf(parseBody(frames.bytes)), accept).to.deep.include({
          unchanged: 2,
          listed: [[2, 0, 1]],
        });
      }
      const missing = await get('/v1/observations?stations=77', JSON_ONLY);
      expect(JSON.parse(missing.body)).to.deep.include({ code: 404, error: 'STATION_UNKNOWN' });
      expect(header(await get('/v1/observations', JSON_ONLY), 'content-type')).to.equal(FRAMES);
    });

    it('refuses invalid queries with an error frame', async () => {
      for (const [path, fault] of [
        ['/v1/observations?stations=1,x', 'Must be whole numbers'],
        ['/v1/observations?variables=70000', 'at most 65535'],
        ['/v1/observations?variables=60000', 'There is no variable with the number 60000.'],
        ['/v1/observations?from=2024-01-01', 'Must be whole milliseconds'],
        ['/v1/observations?to=12345678901234567890', 'Must be whole milliseconds'],
        ['/v1/observations?from=2&to=1', 'to is before from.'],
        ['/v1/observations?quality=yes', 'quality'],
        ['/v1/observations?station=1', 'Unrecognized key'],
      ] as const) {
        expect(expectError(await get(path), 400, 'REQUEST_INVALID'), path).to.contain(fault);
      }
      const type = await ask(
        'POST',
        '/v1/observations',
        ['Content-Type: application/json'],
        Buffer.from('{}'),
      );
      expectError(type, 415, 'MEDIA_TYPE_UNSUPPORTED');
      const squeezed = await post(body(), undefined, 'Content-Encoding: gzip');
      expectError(squeezed, 415, 'MEDIA_TYPE_UNSUPPORTED');
    });

    it('names the limit that a body exceeds', async () => {
      const head = `POST /v1/observations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${FRAMES}\r\n`;
      const [reply] = parseReplies(
        await exchangeRaw(running.url, `${head}Content-Length: 4294967297\r\n\r\n`, (text) =>
          text.includes('4294967296'),
        ),
      );
      expect(errorOf(parseBody(Buffer.from(reply?.body ?? '', 'latin1')))).to.include({
        code: 'BODY_TOO_LARGE',
      });
      const large = frame({ kind: 1, rows: 65_537, columns: 0, payload: Buffer.alloc(8) });
      expectError(await post(Buffer.concat([large, end(0, 0)])), 413, 'FRAME_TOO_LARGE');
      const empty = observations([], []);
      const many = Buffer.concat(Array.from({ length: 65_537 }, () => empty));
      expectError(await post(many), 413, 'FRAMES_TOO_MANY');
    });

    it('says how many rows it has stored if the body is cut off or cannot be parsed, also while the disk is slow', async () => {
      const [first, second] = [observations(columns, rows(6)), observations(columns, rows(4, 6))];
      const whole = body(first, second);
      const ends = whole.length - end(0, 0).length;
      const cuts: readonly (readonly [at: number, rows: number])[] = [
        [0, 0],
        [10, 0],
        [first.length - 1, 0],
        [first.length, 6],
        [first.length + 40, 6],
        [ends, 10],
        [whole.length - 1, 10],
      ];
      const chunk = (bytes: Buffer) =>
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
      const framings = {
        length: (bytes: Buffer) => [`Content-Length: ${whole.length}`, bytes] as const,
        'incomplete chunk': (bytes: Buffer) =>
          ['Transfer-Encoding: chunked', chunk(bytes).subarray(0, -1)] as const,
        'chunk without a length': (bytes: Buffer) =>
          [
            'Transfer-Encoding: chunked',
            Buffer.concat([bytes.length === 0 ? bytes : chunk(bytes), Buffer.from('no length\r\n')]),
          ] as const,
      };
      const write = store.write.bind(store);
      store.write = async (batches) => {
        await sleep(5);
        return await write(batches);
      };
      for (const [framing, framed] of Object.entries(framings))
        for (const accept of [FRAMES, 'application/json'])
          for (const [at, count] of cuts) {
            const [line, bytes] = framed(whole.subarray(0, at));
            const socket = await open();
            let received = '';
            socket.setEncoding('latin1').on('data', (part: string) => (received += part));
            const head = `POST /v1/observations HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FRAMES}\r\nAccept: ${accept}\r\n${line}\r\n\r\n`;
            socket.write(head);
            // Afterwards the endpoint reads the body.
            await get('/v1/health/info');
            // Only this direction of the connection ends.
            if (framing === 'chunk without a length') socket.write(bytes);
            else socket.end(bytes);
            await eventually(async () => socket.closed, Boolean);
            const what = `${framing} ${accept} ${at}`;
            const [reply] = parseReplies(received);
            expect([reply?.status, reply && header(reply, 'connection')], what).to.deep.equal([400, 'close']);
            const content = reply?.body ?? '';
            const message =
              accept === FRAMES
                ? errorOf(parseBody(Buffer.from(content, 'latin1'))).message
                : (JSON.parse(content) as { message: string }).message;
            const fault =
              framing === 'chunk without a length'
                ? 'The request is not valid HTTP/1.1.'
                : 'The connection ended before the whole request had arrived.';
            const consequence =
              count === 0
                ? 'Nothing has been written.'
                : `The valid rows among the ${count} rows before the fault have been written.`;
            expect(message, what).to.equal(`${fault} ${consequence}`);
          }
      expect(await stored()).to.have.length(10);
      expect(running.failures).to.deep.equal([]);
    });

    it('stores the complete frames of a client that dies in the middle of a body, and nothing of the last', async () => {
      for (const [from, die] of [
        [0, 'destroy'],
        [6, 'resetAndDestroy'],
      ] as const) {
        const content = body(observations(columns, rows(6, from)), observations(columns, rows(6, 90)));
        const socket = await open();
        socket.write(
          `POST /v1/observations HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FRAMES}\r\nContent-Length: ${content.length}\r\n\r\n`,
        );
        socket.write(content.subarray(0, content.length - 60));
        await eventually(stored, (found) => found.length === from + 6);
        socket[die]();
        // The service cannot tell a client that has ended from one that still reads, and answers both.
        const [field, value] = die === 'destroy' ? (['status', 400] as const) : (['aborted', true] as const);
        await eventually(
          async () => running.log.filter(({ fields }) => fields[field] === value),
          (found) => found.length === 1,
        );
      }
      expect(await stored()).to.have.length(12);
      expect(running.failures).to.deep.equal([]);
    });

    it('waits for the disk: a sender cannot send more than a few frames in advance', async () => {
      let writes = 0;
      const release: (() => void)[] = [];
      const write = store.write.bind(store);
      store.write = async (batches) => {
        writes += 1;
        await new Promise<void>((resolve) => release.push(resolve));
        return await write(batches);
      };
      const one = observations(columns, rows(16_000));
      const content = body(...Array.from({ length: 60 }, () => one));
      const socket = await open();
      socket.write(
        `POST /v1/observations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${FRAMES}\r\nContent-Length: ${content.length}\r\n\r\n`,
      );
      socket.write(content);
      await eventually(
        async () => writes,
        (count) => count === 1,
      );
      await otherRequests();
      expect(writes).to.equal(1);
      expect(socket.writableLength, 'nobody has stopped it').to.be.above(content.length / 2);
      const timer = setInterval(() => release.splice(0).forEach((resolve) => resolve()), 1);
      let received = '';
      socket.setEncoding('latin1').on('data', (text: string) => (received += text));
      await eventually(async () => socket.closed, Boolean);
      clearInterval(timer);
      const receipt = receiptOf(parseBody(Buffer.from(parseReplies(received)[0]?.body ?? '', 'latin1')));
      expect(receipt).to.include({ inserted: 16_000, unchanged: 59 * 16_000 });
    });

    it('serves others while more clients send slowly than are served at a time', async () => {
      const content = body(observations(columns, rows(6)));
      const whole = observations(columns, rows(6));
      const begun = [
        Buffer.from('W'),
        content.subarray(0, 100),
        // A complete frame and the beginning of another one.
        Buffer.concat([whole, whole.subarray(0, 100)]),
      ];
      const sockets = await Promise.all(Array.from({ length: 300 }, open));
      for (const [index, socket] of sockets.entries()) {
        socket.write(
          `POST /v1/observations HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FRAMES}\r\nContent-Length: 100000\r\n\r\n`,
        );
        socket.write(begun[index % begun.length] as Buffer);
      }
      await otherRequests();
      for (let count = 0; count < 3; count += 1) {
        expect((await post(content)).status).to.equal(200);
        expect((await get('/v1/observations')).status).to.equal(200);
      }
      for (const socket of sockets) socket.destroy();
    });

    it('refuses bulk requests beyond its limits, with their error code', async () => {
      await post(body(observations(columns, rows(4))));
      const read = store.read.bind(store);
      let unblock: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => (unblock = resolve));
      store.read = async function* blocked(query) {
        await opened;
        yield* read(query);
      };
      const sockets = await Promise.all(Array.from({ length: 256 }, open));
      for (const socket of sockets) socket.write('GET /v1/observations HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const refused = await eventually(
        () => get('/v1/observations'),
        ({ status }) => status === 503,
      );
      expectError(refused, 503, 'BULK_REQUESTS_TOO_MANY');
      expect(header(refused, 'retry-after')).to.equal('1');
      expect((await get('/v1/health/info')).status).to.equal(200);
      for (const socket of sockets) socket.destroy();
      unblock();
      await eventually(
        () => get('/v1/observations'),
        ({ status }) => status === 200,
      );
    });

    it('releases every place, also after HEAD or if the client leaves before the reply', async () => {
      await post(body(observations(columns, rows(4))));
      const paths = ['/v1/observations', '/v1/observations/newest', '/v1/stations'];
      for (let count = 0; count < 300; count += 1) {
        const path = paths[count % 3] ?? '';
        await exchangeRaw(
          running.url,
          `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        );
        const socket = await open();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        if (count % 2 === 0) await sleep(count % 5);
        socket.destroy();
      }
      const replies = await Promise.all(Array.from({ length: 120 }, () => get('/v1/observations')));
      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]));
    });

    it('ends a reply that fails halfway with an error frame and closes the connection', async () => {
      await post(body(observations(columns, rows(4))));
      const read = store.read.bind(store);
      store.read = async function* failing(query) {
        yield* read(query);
        throw new Error('the disk has gone, with a secret in it');
      };
      const text = await exchangeRaw(
        running.url,
        'GET /v1/observations HTTP/1.1\r\nHost: localhost\r\n\r\n', // Without the header the connection would be kept alive.
      );
      const [reply] = parseReplies(text);
      const frames = parseFrames(Buffer.from(reply?.body ?? '', 'latin1'));
      expect(reply?.status).to.equal(200);
      expect(rowsOf(frames.slice(0, -1))).to.have.length(4);
      expect(errorOf(frames)).to.deep.equal({
        status: 500,
        code: 'INTERNAL_ERROR',
        message: 'The service has failed. Its log names the reason, with the id of this request.',
      });
      expect(running.failures).to.have.length(1);
    });

    it('reports no failure of its own where a client leaves with its request', async () => {
      await post(body(observations(columns, rows(4))));
      const read = store.read.bind(store);
      store.read = async function* slow(query) {
        await sleep(20);
        yield* read(query);
      };
      for (const path of ['/v1/stations', '/v1/observations']) {
        const socket = await open();
        socket.resume().end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await eventually(async () => socket.closed, Boolean);
        await otherRequests();
      }
      expect(running.failures).to.deep.equal([]);
    });

    it('reads no further for a client that does not read, and stops when it leaves', async () => {
      let asked = 0;
      let stopped = false;
      const count = 20_000;
      store.read = async function* endless() {
        try {
          for (;;) {
            asked += 1;
            yield {
              stations: new Uint32Array(count).fill(1),
              times: Float64Array.from({ length: count }, (_, row) => asked * count + row),
              values: new Map([[1, new Float64Array(count)]]),
              flags: new Map(),
            };
          }
        } finally {
          stopped = true;
        }
      };
      const socket = await open();
      socket.pause();
      socket.write('GET /v1/observations HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await eventually(
        async () => asked,
        (batches) => batches > 2,
      );
      const stands = async () => {
        const before = asked;
        await otherRequests();
        return asked === before;
      };
      await eventually(stands, Boolean);
      expect(asked).to.be.below(200);
      expect(stopped).to.equal(false);
      socket.destroy();
      await eventually(async () => stopped, Boolean);
    });

    it('answers HEAD without reading on', async () => {
      const reply = await exchangeRaw(
        running.url,
        'HEAD /v1/observations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      );
      expect(reply)
        .to.match(/^HTTP\/1\.1 200 OK\r\n/)
        .and.to.match(/\r\n\r\n$/);
    });

    it('serves the C header of its own version', async () => {
      const reply = await get('/v1/weatherd.h');
      expect(header(reply, 'content-type')).to.equal('text/x-c');
      expect(reply.bytes.toString()).to.contain('#define WEATHERD_VERSION').and.contain('wxf_next');
    });

    it('refuses a missing secret in frames too', async () => {
      const guard = internalGuard({ secret: SECRET, hosts: ['localhost'], allowedHosts: [] });
      const endpoints = makeInternalEndpoints(world.container, true);
      const secured = await runApi(await load(), { endpoints, guard });
      const request = (rest: string) =>
        exchangeRaw(secured.url, `GET /v1/stations HTTP/1.1\r\nConnection: close\r\n${rest}\r\n`);
      const reply = async (rest: string) => {
        const [only] = parseReplies(await request(rest));
        return { status: only?.status ?? 0, bytes: Buffer.from(only?.body ?? '', 'latin1') };
      };
      expectError(await reply('Host: localhost\r\n'), 401, 'AUTH_TOKEN_INVALID');
      expectError(await reply('Host: evil.example\r\n'), 403, 'HOST_NOT_ALLOWED');
      expectError(
        await reply('Host: localhost\r\nOrigin: http://evil.example\r\n'),
        403,
        'ORIGIN_NOT_ALLOWED',
      );
      expect((await reply(`Host: localhost\r\nAuthorization: Bearer ${SECRET}\r\n`)).status).to.equal(200);
      await secured.server.close(100);
    });

    function open(): Promise<Socket> {
      const { port } = new URL(running.url);
      return new Promise((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => resolve(socket));
        socket.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
        });
      });
    }
  });
}
