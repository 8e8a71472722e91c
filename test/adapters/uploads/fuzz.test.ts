import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { AddressLimit } from '#application/uploads/arrivals/address-limit.js';
import { UploadReceiver } from '#adapters/uploads/receiver.js';
import type { UploadReply } from '#adapters/uploads/upload-reply.js';
import { withoutControls } from '#adapters/uploads/request/form.js';
import { RequestReader } from '#adapters/uploads/request/request-reader.js';
import { replyText } from '#adapters/uploads/server/reply-text.js';
import { UploadServer } from '#adapters/uploads/server/upload-server.js';
import type { Sender, Upload, UploadOutcome } from '#domain/uploads/upload.js';
import { variableNamed } from '#domain/weather/variables.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { ALL, KEY, secretsOf } from './captures.js';
import { MALFORMED } from './malformed.js';

/** Requests that are mutated. `UPLOAD_MUTATIONS=100000` takes a minute or two. */
const MUTATIONS = Number(process.env['UPLOAD_MUTATIONS'] ?? 2000);
/** The share of them that is sent through a socket. */
const SOCKET_SHARE = 0.05;

const OTHER_KEY = 'zyxwvtsrqpnmkjhgfedcba9876';
const TEXTS = [...ALL, ...MALFORMED].flatMap(({ text }) => [text, text.replaceAll(KEY, OTHER_KEY)]);
const SECRETS = [...new Set(TEXTS.flatMap(secretsOf))].filter((secret) => secret.length > 3);

/** Stations by the secret that writes to them. */
const KEYS: Readonly<Record<string, string>> = { [KEY]: 'by key', [OTHER_KEY]: 'by the other key' };

function stationOf({ key, id, password }: Sender): string | undefined {
  if (key !== undefined) return KEYS[key];
  return id !== undefined && password !== undefined ? `${id} with ${password}` : undefined;
}

type Change = readonly [
  kind: 'delete' | 'repeat' | 'insert' | 'replace' | 'splice' | 'field',
  at: number,
  length: number,
  what: number,
];

const JUNK = [
  '&',
  '=',
  '?',
  '%',
  '%00',
  '%zz',
  '/',
  '\r\n',
  '\n',
  '\0',
  ' ',
  '+',
  '{',
  '"',
  '[',
  ':',
  ',',
  '\u00ff',
  '-9999',
  'é',
];
const FIELD_NAMES = [
  'ID',
  'PASSWORD',
  'PASSKEY',
  'siteid',
  'wsid',
  'wspw',
  'dateutc',
  'tempf',
  'outtemp',
  '__proto__',
  'stationtype',
];

function changed(text: string, [kind, from, length, what]: Change): string {
  const at = from % (text.length + 1);
  const end = at + (length % 40);
  const other = TEXTS[what % TEXTS.length] ?? '';
  const junk = JUNK[what % JUNK.length] ?? '';
  if (kind === 'delete') return text.slice(0, at) + text.slice(end);
  if (kind === 'repeat') return text.slice(0, end) + text.slice(at);
  if (kind === 'insert') return text.slice(0, at) + junk + text.slice(at);
  if (kind === 'replace') return text.slice(0, at) + String.fromCharCode(what % 256) + text.slice(at + 1);
  if (kind === 'splice') return text.slice(0, at) + other.slice(length % (other.length + 1));
  const name = FIELD_NAMES[length % FIELD_NAMES.length];
  return text.slice(0, at) + `&${name}=${junk}${what}&` + text.slice(at);
}

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('delete', 'repeat', 'insert', 'replace', 'splice', 'field'),
  fc.nat(2000),
  fc.nat(2000),
  fc.nat(2000),
);

/** Writes the length of the body where there is one, because nearly every change would break it. */
function withLength(text: string): string {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const length = Buffer.byteLength(body.join('\r\n\r\n'));
  return [head.replace(/^Content-Length:.*$/m, `Content-Length: ${length}`), ...body].join('\r\n\r\n');
}

const request: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom(...TEXTS),
    fc.array(change, { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([text, changes, repair]) => {
    const mutated = changes.reduce(changed, text);
    return Buffer.from(repair === 0 ? mutated : withLength(mutated));
  });

/** What a sender can have meant: the request as sent and percent-decoded, without control characters. */
function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  const hex = (code: string) => Buffer.from(code.replaceAll('%', ''), 'hex').toString('utf8');
  const decoded = text
    .replace(/[\r\n]/g, '')
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, hex);
  return withoutControls(`${text} ${decoded}`);
}

describe('mutated uploads', () => {
  it('crash nothing, reach no wrong station, and reveal no secret', async function () {
    this.timeout(0);
    const clock = new FakeClock();
    let [stored, uploads] = [0, 0];
    let bytes: Buffer = Buffer.alloc(0);
    const receive = async (upload: Upload): Promise<UploadOutcome> => {
      uploads += 1;
      expectSound(upload);
      const station = stationOf(upload.sender);
      if (station === undefined) return { kind: 'refused', reason: 'key', detail: 'none' };
      stored += 1;
      const text = readable(bytes);
      const { key, id, password } = upload.sender;
      for (const part of key === undefined ? [id, password] : [key]) expect(text).to.contain(part);
      return { kind: 'stored' };
    };
    const failures: unknown[] = [];
    const receiver = new UploadReceiver({
      receive: (upload) => receive(upload),
      clock,
      addresses: new AddressLimit(clock, (address) => address, { limit: { requests: 1e9, seconds: 60 } }),
      onFailure: (error) => failures.push(error),
    });
    const logged: unknown[] = [];
    const server = new UploadServer({
      receiver,
      networkOf: (address) => address,
      clientOf: (socket) => socket.remoteAddress ?? '',
      log: { request: (record) => logged.push({ ...record, milliseconds: 0 }), connections: () => undefined },
    });
    const port = Number(new URL(await server.listen('127.0.0.1', 0)).port);
    const answerOf = async (cut: number): Promise<string> => {
      const reader = new RequestReader();
      const at = cut % (bytes.length + 1);
      const whole = reader.push(bytes.subarray(0, at)) ?? reader.push(bytes.subarray(at));
      if (whole === undefined || typeof whole === 'string') return '';
      const { reply, dialect } = await receiver.execute(whole, '192.0.2.1');
      expectReply(reply);
      return `${replyText(reply, whole.method)} ${dialect}`;
    };
    const exchange = async (): Promise<string> => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      let text = '';
      socket.on('data', (chunk: string) => (text += chunk)).on('error', () => undefined);
      socket.end(bytes);
      await once(socket, 'close');
      return text;
    };
    await fc.assert(
      fc.asyncProperty(
        request,
        fc.nat(4000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (mutated, cut, share) => {
          bytes = mutated;
          const answer = share < SOCKET_SHARE ? await exchange() : await answerOf(cut);
          const told = `${answer} ${JSON.stringify(logged.splice(0))}`;
          expect(SECRETS.find((secret) => told.includes(secret))).to.equal(undefined);
          expect(failures).to.have.length(0);
        },
      ),
      { numRuns: MUTATIONS, endOnFailure: true },
    );
    // Most mutations must still be uploads, or this test would test nothing.
    expect(uploads).to.be.above(MUTATIONS / 3);
    expect(stored).to.be.above(MUTATIONS / 8);
    await server.close(1000);
  });
});

function expectReply({ status, body }: UploadReply): void {
  expect(body).to.match(/^[ -~\n]{0,40}$/);
  if (status < 300) expect(body).not.to.match(/error|invalid/i);
}

/** What the application may rely on. Few calls of `expect`, because each costs more than the reading of a field. */
function expectSound({ readings, counters, fields, raw, time, digest }: Upload): void {
  const names = readings.map(({ variable }) => variable);
  expect(new Set(names).size).to.equal(names.length);
  expect(names.filter((name) => variableNamed(name) === undefined)).to.have.length(0);
  const numbers = [
    ...readings.map(({ value }) => value),
    ...counters.map(({ amount }) => amount),
    ...fields.map(({ value }) => value).filter((value) => typeof value === 'number'),
    time.sent ?? 0,
  ];
  expect(numbers.every(Number.isFinite)).to.equal(true);
  expect(fields.length).to.be.at.most(256);
  expect(Buffer.byteLength(raw)).to.be.at.most(4096);
  expect(digest).to.match(/^[\w-]{43}(?:\.\d+)?$/);
}
