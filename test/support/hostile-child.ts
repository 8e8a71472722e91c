import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { readCsv } from '#adapters/formats/csv/csv-columns.js';
import { fileHead } from '#adapters/formats/files/file-head.js';
import { genericPlan } from '#adapters/formats/files/generic-plan.js';
import { Questions } from '#adapters/formats/files/questions.js';
import { readColumns } from '#adapters/formats/json/json-columns.js';
import { IMPORT_FORMATS, recognize } from '#adapters/formats/import-formats/import-formats.js';
import { fileTimes } from '#adapters/formats/tables/file-times.js';
import { localZone } from '#adapters/formats/tables/local-zone.js';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { UploadReceiver } from '#adapters/uploads/receiver.js';
import { RequestReader } from '#adapters/uploads/request/request-reader.js';
import { ALL, requestOf } from '../adapters/uploads/captures.js';
import { FakeClock } from '../application/fakes/fakes.js';
import { runApi } from './api-server.js';
import { readAll } from './imported.js';
import { mapperOf } from './mapping.js';
import nodeTransport from './node-transport.js';
import { makeServiceUnderTest } from './service-endpoints.js';

/**
 * A process that passes hostile texts to all functions that read text from outside (each is a `Reader`). It prints the CPU time
 * in ms for a text and for a text of four times the length, if the longer text takes noticeable time.
 * `test/security/hostile-texts.test.ts` starts it.
 */

/**
 * A function that reads text from outside, for example a query parameter or a cell of a CSV file, with its name and its limit.
 */
interface Reader {
  readonly name: string;
  /** Maximum number of characters of a text for this reader. If the text is changed by `encode`, the changed text is counted. */
  readonly maxLength: number;
  readonly encode?: (text: string) => string;
  readonly read: (encoded: string) => unknown;
}

/** Each text repeats characters that a loop of a regular expression matches. Most texts end with characters that do not match. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  digits: (length) => `${'1'.repeat(length - 1)}x`,
  points: (length) => `${'0.'.repeat(length / 2)}x`,
  blanks: (length) => `a${' '.repeat(length - 2)}b`,
  commas: (length) => `${', '.repeat(length / 2)}x`,
  dashes: (length) => `x${' - '.repeat(length / 3)}(`,
  colons: (length) => `2024-01-01T00:00:00${'0:'.repeat(length / 2)}`,
  brackets: (length) => '(['.repeat(length / 2),
  quotes: (length) => `a${'"'.repeat(length - 2)}b`,
  slashes: (length) => `${'a/'.repeat(length / 2)}\u00e9`,
  words: (length) => `${'temp '.repeat(length / 5)}_`,
};
/**
 * Times below this number of ms are not compared, because a request with its reply and a garbage collection already take a few
 * ms.
 */
const NOTICEABLE = 10;
const TRIES = 4;
/** Four times the text may cost this many times as much. What grows with the square of the text costs 16 times as much. */
const GROWTH = 8;

async function cpuTime(reader: Reader, text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await reader.read(text);
  } catch {
    // The text was refused. Only the time until the refusal matters here.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Measures each text whose time is noticeable again, because other work of the process is measured too. The minimum counts, so the
 * longer text is measured only until its growth is allowed.
 */
async function measure(reader: Reader): Promise<object[]> {
  const { name, maxLength, encode = String } = reader;
  const noticed: object[] = [];
  for (const [kind, textWith] of Object.entries(TEXTS)) {
    const length = Math.floor((maxLength * 1000) / encode(textWith(1000)).length) - 20;
    const longText = encode(textWith(length));
    let long = await cpuTime(reader, longText);
    if (long < NOTICEABLE) continue;
    const shortText = encode(textWith(length / 4));
    let short = Infinity;
    for (let count = 0; count < TRIES; count += 1) short = Math.min(short, await cpuTime(reader, shortText));
    for (let count = 0; count < TRIES && long > GROWTH * short; count += 1)
      long = Math.min(long, await cpuTime(reader, longText));
    noticed.push({ name, kind, short, long });
  }
  return noticed;
}

/** Encoded texts by their text, because hundreds of readers get the same texts. */
const encodedTexts = new Map<string, string>();

/** Encodes text for a query or a path. Most characters are not escaped, so that the text can be long. */
function inTarget(text: string): string {
  const found = encodedTexts.get(text);
  if (found !== undefined) return found;
  const encoded = encodeURI(text)
    .replace(/%20/g, '+')
    .replace(/[#?/&[\]]/g, encodeURIComponent);
  encodedTexts.set(text, encoded);
  return encoded;
}

async function apiReaders(): Promise<{ readers: Reader[]; close: () => Promise<unknown> }> {
  const service = await makeServiceUnderTest();
  const endpoints = [...service.endpoints.external, ...service.endpoints.internal].filter(
    ({ method, path }, at, all) => all.findIndex((one) => one.method === method && one.path === path) === at,
  );
  const running = await runApi(nodeTransport, { endpoints, authorize: service.authorize });
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(running.url);
  const readers: Reader[] = [];
  for (const endpoint of endpoints) {
    const token = typeof endpoint.access === 'string' ? undefined : await service.tokenFor(endpoint.access);
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const send = async (path: string, more: Readonly<Record<string, string>> = {}, body?: string) => {
      const sent = request({
        agent,
        hostname,
        port,
        method: endpoint.method,
        path,
        headers: { ...headers, ...more },
      });
      sent.end(body);
      const [response] = await once(sent, 'response');
      if (endpoint.success.kind === 'events' && response.statusCode === 200) response.destroy();
      else await once(response.resume(), 'end');
    };
    readers.push(...readersOf(endpoint, send));
  }
  const close = async () => {
    agent.destroy();
    await running.server.close(1000);
  };
  return { readers, close };
}

/** Creates a `Reader` for each path, query and body parameter of an endpoint, and for some endpoints also for the headers. */
function readersOf(
  { method, path, params, query, body }: AnyEndpoint,
  send: (path: string, headers?: Readonly<Record<string, string>>, body?: string) => Promise<void>,
): Reader[] {
  const withExamples = (at: string) => at.replace('{name}', 'ada').replace(/\{\w+\}/g, 'JFK');
  const inPath = Object.keys(params?.shape ?? {}).map((name) => ({
    name: `${method} ${path} {${name}}`,
    maxLength: 14_000,
    encode: inTarget,
    read: (text: string) => send(withExamples(path.replace(`{${name}}`, text))),
  }));
  const inQuery = [...Object.keys(query?.shape ?? {}), 'unknown'].map((name) => ({
    name: `${method} ${path}?${name}`,
    maxLength: 14_000,
    encode: inTarget,
    read: (text: string) => send(`${withExamples(path)}?${name}=${text}`),
  }));
  const inBody =
    body?.kind !== 'json'
      ? []
      : Object.keys((body.schema as { shape?: object }).shape ?? {}).map((name) => ({
          name: `${method} ${path} {"${name}"}`,
          maxLength: Math.min(body.limit / 2, 65_000),
          encode: JSON.stringify,
          read: (text: string) => {
            const others = JSON.stringify({ ...(body.example as object), [name]: undefined }).slice(1);
            const members = others === '}' ? others : `,${others}`;
            return send(
              withExamples(path),
              { 'content-type': 'application/json' },
              `{"${name}":${text}${members}`,
            );
          },
        }));
  const names = [
    'accept',
    'accept-encoding',
    'authorization',
    'content-type',
    'if-none-match',
    'last-event-id',
    'origin',
    'user-agent',
    'x-forwarded-for',
  ];
  const inHeaders = names.map((name) => ({
    name: `${method} ${path} ${name}`,
    maxLength: 14_000,
    encode: (text: string) => text.replace(/[^\x20-\x7e]/g, ''),
    read: (text: string) => send(withExamples(path), { [name]: text }),
  }));
  const hasHeaders = ['/v1/stations', '/v1/stations/{id}/observations', '/v1/observations/latest'];
  return [
    ...inPath,
    ...inQuery,
    ...inBody,
    ...(method === 'GET' && hasHeaders.includes(path) ? inHeaders : []),
  ];
}

/**
 * Creates a `Reader` for each field of the uploads of consoles, and for each part of the head of their requests. The fields are
 * those of the longest recorded upload of each dialect, which is the upload format of one kind of console.
 */
async function uploadReaders(): Promise<Reader[]> {
  const receiver = new UploadReceiver({
    receive: async () => ({ kind: 'stored' }),
    clock: new FakeClock(),
    addresses: { arrive: () => ({ isWithin: true }) as never },
    onFailure: (error) => {
      throw error;
    },
  });
  const longestCaptures = new Map<string | null, string>();
  for (const { text } of ALL) {
    const { dialect } = await receiver.execute(requestOf(text), '127.0.0.1');
    if (text.length > (longestCaptures.get(dialect)?.length ?? 0)) longestCaptures.set(dialect, text);
  }
  const receive = async (bytes: string) => {
    const received = new RequestReader().push(Buffer.from(bytes));
    if (typeof received === 'object') await receiver.execute(received, '127.0.0.1');
  };
  const readers: Reader[] = [];
  for (const [dialect, text] of longestCaptures) {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const isJson = /^\s*[[{]/.test(body);
    const fields = isJson
      ? [...body.matchAll(/"(\w+)"\s*:\s*("[^"]*"|-?[\d.]+)/g)].map(([all, name]) => [all, name] as const)
      : [...`${head.split('\r\n')[0]}&${body}`.matchAll(/[?&](\w+)=[^&\s]*/g)].map(
          ([all, name]) => [all.slice(1), name] as const,
        );
    const whole = (changed: string) => {
      const [first = '', second = ''] = changed.split('\r\n\r\n');
      const lines = first.split('\r\n').filter((line) => !/^content-length/i.test(line));
      return `${[...lines, `Content-Length: ${Buffer.byteLength(second)}`].join('\r\n')}\r\n\r\n${second}`;
    };
    for (const [field, name] of fields) {
      readers.push({
        name: `upload ${dialect} ${name}`,
        maxLength: 15_800 - text.length,
        encode: isJson ? JSON.stringify : inTarget,
        read: (hostile) =>
          receive(whole(text.replace(field, isJson ? `"${name}":${hostile}` : `${name}=${hostile}`))),
      });
    }
  }
  const inHead: Readonly<Record<string, (hostile: string) => string>> = {
    'the request line': (hostile) => `GET /${hostile}\r\nHost: x\r\n\r\n`,
    'the method': (hostile) => `${hostile}\r\nHost: x\r\n\r\n`,
    'the version': (hostile) => `GET / ${hostile} HTTP/1.1\r\n\r\n`,
    'a header': (hostile) => `GET / HTTP/1.1\r\nX: ${hostile}\r\n\r\n`,
    'the name of a header': (hostile) => `GET / HTTP/1.1\r\n${hostile}: x\r\n\r\n`,
    authorization: (hostile) => `GET /u/ HTTP/1.1\r\nAuthorization: ${hostile}\r\n\r\n`,
    'the path': (hostile) => `GET /u/${inTarget(hostile)}/?tempf=1 HTTP/1.1\r\n\r\n`,
    'the name of a field': (hostile) => `GET /data/report/?PASSKEY=x&${inTarget(hostile)}=1 HTTP/1.1\r\n\r\n`,
    'many secrets': ({ length }) => {
      const secrets = Array.from({ length: length / 26 }, (_, index) => `key=a${10_000 + index}`).join('&');
      return `GET /?ID=a&PASSWORD=b&${secrets}&${'a&'.repeat(length / 4)} HTTP/1.1\r\n\r\n`;
    },
  };
  for (const [place, textOfHead] of Object.entries(inHead))
    readers.push({
      name: `upload: ${place}`,
      maxLength: 15_900,
      read: (hostile) => receive(textOfHead(hostile)),
    });
  return readers;
}

const MESSAGE = { station: 'garden', time: 1_700_000_000, t: 1, h: '50', rain: 1 };

function messageReaders(): Reader[] {
  const mapper = mapperOf({
    topic: 'a/+x',
    station: { from: ['station'], table: { garden: 'garden' } },
    time: { path: 'time', format: 'iso', optional: true },
    missing: ['-9999', 'none'],
    fields: {
      t: { variable: 'air_temperature' },
      h: { variable: 'relative_humidity' },
      rain: { variable: 'precipitation_amount', counter: true },
    },
  });
  const inField = Object.keys(MESSAGE).map((name) => ({
    name: `message ${name}`,
    maxLength: 65_000,
    encode: JSON.stringify,
    read: (hostile: string) => {
      const others = JSON.stringify({ ...MESSAGE, [name]: undefined }).slice(1);
      mapper.message('a/b', Buffer.from(`{"${name}":${hostile},${others}`), 0);
    },
  }));
  return [
    ...inField,
    {
      name: 'message: the name of a field',
      maxLength: 65_000,
      encode: JSON.stringify,
      read: (hostile: string) => mapper.message('a/b', Buffer.from(`{${hostile}:1}`), 0),
    },
    {
      name: 'message: the topic',
      maxLength: 65_000,
      read: (hostile: string) => mapper.message(`a/${hostile}`, Buffer.from('{"t":1}'), 0),
    },
  ];
}

/** Creates a `Reader` for each kind of cell and heading in imported files, and in the CSV and JSON of the API. */
function tableReaders(): Reader[] {
  const utc = localZone('utc', 'UTC', new TemporalCalendar());
  const fits = (time: string, format: string) => fileTimes([format]).instants(time, utc).length > 0;
  const readFile = async (content: string) => {
    const bytes = Buffer.from(content);
    const head = fileHead('x.csv', bytes, true);
    for (const make of IMPORT_FORMATS) recognize(head, new Map(), [make]);
    const plan = genericPlan(
      head,
      { map: [], where: [], missing: [], trace: [] },
      new Questions(new Map()),
      fits,
    );
    const source = {
      text: async function* () {
        yield bytes;
      },
      canRepeat: true,
      path: undefined,
      sqlite: () => {
        throw new Error('there is no path');
      },
    };
    await readAll(plan, source);
  };
  const row = '2024-07-01T01:00:00Z,21.5,50\n';
  const csv: Readonly<Record<string, (hostile: string) => string>> = {
    heading: (hostile) => `time,air_temperature,${hostile}\n${row}`,
    'cell of the time': (hostile) => `time,air_temperature,relative_humidity\n${row}${hostile},1,2\n`,
    'cell of a value': (hostile) =>
      `time,air_temperature,relative_humidity\n${row}2024-07-01T02:00:00Z,${hostile},2\n`,
    line: (hostile) => `${hostile}\n${row}`,
  };
  const inFiles = Object.entries(csv).flatMap(([place, content]): Reader[] => [
    {
      name: `file: ${place}`,
      maxLength: 60_000,
      encode: (text) => text.replaceAll(',', ''),
      read: (hostile) => readFile(content(hostile)),
    },
    { name: `file: ${place}, with commas`, maxLength: 60_000, read: (hostile) => readFile(content(hostile)) },
    {
      name: `CSV: ${place}`,
      maxLength: 60_000,
      encode: (text) => text.replaceAll(',', ''),
      read: (hostile) => readCsv(Buffer.from(content(hostile)), 'x', undefined),
    },
  ]);
  return [
    ...inFiles,
    {
      name: 'JSON: a time',
      maxLength: 1_000_000,
      read: (hostile) => readColumns({ time: [hostile], air_temperature: [1] }, 'x', undefined),
    },
    {
      name: 'JSON: a value',
      maxLength: 1_000_000,
      read: (hostile) => readColumns({ time: [0], air_temperature: [hostile] }, 'x', undefined),
    },
    ...['iso', 'unix', 'DD.MM.YYYY HH:mm', 'YYYY MMM D  h:mm A [ ] [ ] Z'].map((format): Reader => ({
      name: `a time by ${format}`,
      maxLength: 60_000,
      read: (hostile) => fileTimes([format]).fault(hostile, utc, 'x'),
    })),
  ];
}

const api = await apiReaders();
const readers = [...api.readers, ...(await uploadReaders()), ...messageReaders(), ...tableReaders()];
const noticed: object[] = [];
for (const reader of readers) noticed.push(...(await measure(reader)));
await api.close();
process.stdout.write(JSON.stringify({ readers: readers.map(({ name }) => name), noticed, growth: GROWTH }));
process.exit(0);
