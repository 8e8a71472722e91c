import { createHash } from 'node:crypto';
import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { STATION_INDICES } from '#domain/weather/indices/station-indices.js';
import { parquetMetadata } from 'hyparquet';
import { FrameReader } from '#adapters/formats/frames/frame-reader.js';
import { OBSERVATIONS } from '#adapters/formats/frames/observations-frame.js';
import { STATIONS_FRAME } from '#adapters/formats/frames/stations-frame.js';
import { ROW_LIMITS } from '#application/observations/read/read-observations.js';
import type { Service } from '#composition/service.js';
import { MILLISECONDS } from '#domain/time.js';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import { DERIVED_OF_PERIODS } from '#domain/weather/derived/period-quantities.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { Place } from '../../support/place.js';
import { STATION } from '../../support/weather-world.js';

/** Rows every half hour, of more than twenty variables. */
const START = Date.UTC(2021, 0, 1);
const STEP = 30 * MILLISECONDS.minute;
const ROWS = (181 * MILLISECONDS.day) / STEP;
const END = START + (ROWS - 1) * STEP;
/** A station with more rows than a page, of two variables, so that replies with all its rows have two pages. */
const LONG = 'LGA';
const LONG_ROWS = ROW_LIMITS.atOnce + 1000;
const LONG_STEP = MILLISECONDS.minute;
const MEASURED = VARIABLES.filter(({ period, mark }) => period === undefined && mark === undefined).slice(
  0,
  21,
);
const MEASURED_LONG = MEASURED.slice(0, 2);
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

/** What is at the end of a reply, so that one that was cut is not taken for a whole one. */
type End = readonly [count: number, last: unknown];

/** A request, and how the end of its reply is found. */
interface Case {
  readonly target: string;
  readonly end: (body: Buffer) => Promise<End> | End;
  readonly expected: End;
  /** Whether the reply has ages, so that another one is not the same. */
  readonly hasAges?: true;
}

/** The length of an array and its last element, or a field of it. Any other value counts as an array of it. @param path names and indices */
const json =
  (path: string, field?: string) =>
  (body: Buffer): End => {
    const found = path
      .split('.')
      .reduce(
        (value, name) => (value as Record<string, unknown>)[name],
        JSON.parse(body.toString()) as unknown,
      );
    const all = Array.isArray(found) ? (found as unknown[]) : [found];
    const last = all.at(-1);
    return [all.length, field === undefined ? last : (last as Record<string, unknown>)[field]];
  };
/** The number of lines below the heading, and the first cell of the last one. */
const csv = (body: Buffer): End => {
  const text = body.toString();
  expect(text.endsWith('\n')).to.equal(true);
  const last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return [lines - 1, last.split(',', 1)[0]?.trim()];
};
const parquet = (body: Buffer): End => {
  const file = new Uint8Array(body).buffer;
  return [Number(parquetMetadata(file).num_rows), body.toString('latin1', body.length - 4)];
};
const arrow = (body: Buffer): End => [tableFromIPC(body).numRows, body.toString('latin1', body.length - 6)];
async function* once(bytes: Buffer) {
  yield bytes;
}
const frames = async (body: Buffer): Promise<End> => {
  let [count, last] = [0, 0];
  for await (const { times } of new FrameReader(once(body), OBSERVATIONS).frames()) {
    count += times.length;
    last = times.at(-1) ?? 0;
  }
  return [count, last];
};
const stations = async (body: Buffer): Promise<End> => {
  let end: End = [0, undefined];
  for await (const all of new FrameReader(once(body), STATIONS_FRAME).frames())
    end = [end[0] + all.length, all.at(-1)?.id];
  return end;
};
/** The first cell of the last line. */
const lastLine = (body: Buffer): End => [1, csv(body)[1]];
const lastCharacter = (body: Buffer): End => [1, body.toString('latin1', body.length - 1)];

const ID = '/v1/stations/JFK';
const LONG_ID = `/v1/stations/${LONG}`;
const TIMES = 'observations.time';
/** A summary is longer than the row of an hour, so that fewer variables make a long reply. None of them is an amount. */
const SUMMARIZED = MEASURED.slice(-8)
  .map(({ name }) => name)
  .join(',');
const DERIVED_NAMES = [...DERIVED.map(({ name }) => name), 'feels_like'].join(',');
const PERIOD_NAMES = DERIVED_OF_PERIODS.map(({ name }) => name).join(',');
/** Hours of UTC that are summarized, and days in which there are rows. An amount at the first instant belongs to the day before. */
const HOURS = 60 * 24;
const HOURS_START = '2021-05-02';
const DAYS = (ROWS * STEP) / MILLISECONDS.day + 1;
const LAST_HOUR = '2021-06-30T23:00:00+00:00';
const LAST_DAY = '2021-06-30T00:00:00+00:00';
/** Whether an index exists for hours and for days. */
const isForBoth = (index: string) => STATION_INDICES.filter(({ name }) => name === index).length > 1;
/** More rows than the longest part that is written at once. */
const LIMIT = 6000;
const LIMIT_END = iso(START + (LIMIT - 1) * STEP);

/** The reads of observations, by the API and the path in its OpenAPI document. */
const READS: Readonly<Record<'external' | 'internal', Readonly<Record<string, readonly Case[]>>>> = {
  external: {
    ['/v1/stations/{id}/observations']: [
      { target: `${ID}/observations?limit=${LIMIT}`, end: json(TIMES), expected: [LIMIT, LIMIT_END] },
      { target: `${LONG_ID}/observations?limit=all&format=csv`, end: csv, expected: [LONG_ROWS, iso(END)] },
      {
        target: `${LONG_ID}/observations?limit=all&format=parquet`,
        end: parquet,
        expected: [LONG_ROWS, 'PAR1'],
      },
      {
        target: `${ID}/observations?points=500`,
        end: (body) => json(TIMES)(body).with(0, 0) as unknown as End,
        expected: [0, iso(END)],
      },
    ],
    ['/v1/observations']: [
      {
        target: `/v1/observations?stations=JFK&limit=${LIMIT}`,
        end: json(`stations.0.${TIMES}`),
        expected: [LIMIT, LIMIT_END],
      },
      {
        target: `/v1/observations?stations=JFK&limit=${LIMIT}&format=csv`,
        end: csv,
        expected: [LIMIT, 'JFK'],
      },
    ],
    ['/v1/stations/{id}/summaries']: [
      {
        target: `${ID}/summaries?interval=hour&from=${HOURS_START}&variables=${SUMMARIZED}`,
        end: json('summaries', 'start'),
        expected: [HOURS, LAST_HOUR],
      },
      {
        target: `${ID}/summaries?interval=hour&from=${HOURS_START}&variables=${SUMMARIZED}&format=csv`,
        end: csv,
        expected: [HOURS, LAST_HOUR],
      },
    ],
    ['/v1/summaries']: [
      {
        target: `/v1/summaries?stations=JFK&interval=day`,
        end: json('stations.0.summaries', 'start'),
        expected: [DAYS, LAST_DAY],
      },
      { target: `/v1/summaries?stations=JFK&interval=day&format=csv`, end: csv, expected: [DAYS, 'JFK'] },
    ],
    ['/v1/stations/{id}/derived']: [
      {
        target: `${ID}/derived?variables=${DERIVED_NAMES}&limit=${LIMIT}`,
        end: json('derived.time'),
        expected: [LIMIT, LIMIT_END],
      },
      {
        target: `${ID}/derived?variables=${PERIOD_NAMES}&interval=day&limit=${LIMIT}`,
        end: json('derived.time'),
        expected: [DAYS - 1, '2021-06-30T00:00:00Z'],
      },
      {
        target: `${ID}/derived?variables=${DERIVED_NAMES}&limit=${LIMIT}&format=csv`,
        end: csv,
        expected: [LIMIT, LIMIT_END],
      },
    ],
    ['/v1/stations/{id}/lasting-steps']: [
      {
        target: `${ID}/lasting-steps?limit=${LIMIT}`,
        end: json('next'),
        expected: [1, String(START + LIMIT * STEP)],
      },
    ],
    ['/v1/stations/{id}/notices']: [
      { target: `${ID}/notices`, end: json('searched_at'), expected: [1, null] },
    ],
    ['/v1/stations/{id}/source-flags']: ['json', 'csv'].map((format) => ({
      target: `${LONG_ID}/source-flags?variables=${MEASURED_LONG.map(({ name }) => name).join(',')}&format=${format}`,
      end: format === 'csv' ? csv : json(TIMES),
      expected: [10_000, iso(END - (LONG_ROWS - 10_000) * LONG_STEP)],
    })),
    ['/v1/stations/{id}/wind-rose']: [
      { target: `${ID}/wind-rose`, end: json('count'), expected: [1, ROWS] },
      { target: `${ID}/wind-rose?format=csv`, end: csv, expected: [97, '337.5'] },
    ],
    ['/v1/stations/{id}/observations/latest']: [
      {
        target: `${ID}/observations/latest?include=trend,today,rain`,
        end: json('last_seen'),
        expected: [1, iso(END)],
        hasAges: true,
      },
    ],
    ['/v1/stations/{id}/now']: [{ target: `${ID}/now`, end: json('last_seen'), expected: [1, iso(END)] }],
    ['/v1/observations/latest']: [
      {
        target: '/v1/observations/latest?include=trend,today',
        end: json('stations', 'last_seen'),
        expected: [2, iso(END)],
        hasAges: true,
      },
      {
        target: '/v1/observations/latest?format=geojson',
        end: json('features', 'id'),
        expected: [2, LONG],
        hasAges: true,
      },
      {
        target: '/v1/observations/latest?format=openmetrics',
        end: (body) => [1, body.toString('latin1', body.length - 6)],
        expected: [1, '# EOF\n'],
      },
    ],
    ...Object.fromEntries(
      [
        ['months', '2021'],
        ['normals?period=2021-2030', 'year'],
        ['anomalies', '2021'],
        ['drought', '2021-06'],
        ['return-levels', 'highest_wind'],
        ['records', 'streak'],
        ['indices', '2021'],
        ['degree-days', '2021'],
        ['usual', '12-31'],
      ].map(([name = '', last]): [string, readonly Case[]] => {
        const target = `${ID}/climate/${name}`;
        const file = `${target}${name.includes('?') ? '&' : '?'}format=csv`;
        return [
          `/v1/stations/{id}/climate/${name.replace(/\?.*/, '')}`,
          [
            { target, end: json('station'), expected: [1, 'JFK'] },
            { target: file, end: lastLine, expected: [1, last] },
          ],
        ];
      }),
    ),
    ...Object.fromEntries(
      STATION_INDICES.map(({ name, gives }): [string, readonly Case[]] => {
        // The rows of days make a short reply anyway, so one month of them is enough.
        const [from, days] = gives === 'hours' ? ['2021-04-02', 60] : ['2021-05-01', 31];
        const target = `${ID}/indices/${name}?from=${from}&to=2021-06-01`;
        const last = gives === 'hours' ? '2021-05-31T23:00:00+00:00' : '2021-05-31';
        const count = gives === 'hours' ? days * 24 : days;
        const interval = isForBoth(name) ? `&interval=${gives === 'hours' ? 'hour' : 'day'}` : '';
        return [
          `/v1/stations/{id}/indices/${name}`,
          [
            { target: `${target}${interval}`, end: json('rows.time'), expected: [count, last] },
            { target: `${target}${interval}&format=csv`, end: csv, expected: [count, last] },
          ],
        ];
      }),
    ),
    ['/v1/stations/{id}/reports/noaa/{file}']: [
      { target: `${ID}/reports/noaa/2021.txt`, end: lastCharacter, expected: [1, '\n'] },
    ],
    ['/v1/stations/{id}/files']: [
      { target: `${ID}/files?year=2021`, end: json('months', 'month'), expected: [6, '2021-06'] },
    ],
    ['/v1/stations/{id}/files/{month}']: [
      { target: `${ID}/files/2021-01.parquet`, end: parquet, expected: [31 * 48, 'PAR1'] },
      { target: `${ID}/files/2021-01.arrow`, end: arrow, expected: [31 * 48, 'ARROW1'] },
    ],
  },
  internal: {
    ['/v1/observations']: [{ target: '/v1/observations', end: frames, expected: [ROWS + LONG_ROWS, END] }],
    ['/v1/observations/newest']: [{ target: '/v1/observations/newest', end: frames, expected: [2, END] }],
    ['/v1/stations']: [{ target: '/v1/stations', end: stations, expected: [2, LONG] }],
  },
};

/** Replies without rows of observations, whose size does not grow with them. */
const WITHOUT_ROWS: Readonly<Record<keyof typeof READS, readonly string[]>> = {
  external: [
    '/',
    '/v1/health/liveliness',
    '/v1/health/info',
    '/v1/health/checks',
    '/v1/auth/keys',
    '/v1/users',
    '/v1/users/{name}',
    '/v1/audit',
    '/v1/variables',
    '/v1/places',
    '/v1/stations',
    '/v1/stations/{id}',
    '/v1/stations/{id}/overrules',
    '/v1/upload-keys',
    '/v1/uploads',
    '/v1/uploads/pending',
    '/v1/alarms',
    '/v1/hooks',
    '/v1/sources',
    '/v1/forecasts',
    '/v1/forecasts/{id}',
    '/v1/stations/{id}/forecast',
    '/v1/stations/{id}/forecast/verification',
    '/v1/stations/{id}/forecast/verification/cases',
    '/v1/session',
    '/v1/sessions',
    '/v1/retention',
    '/v1/backups',
    '/v1/removed-stations',
    '/v1/stations/{id}/retention',
    '/v1/stations/{id}/sensors',
    '/v1/upload-keys/{id}/mappings',
    '/v1/alarms/{name}',
    '/v1/hooks/{name}',
    '/v1/sources/{name}',
    '/v1/settings/uploads',
    '/v1/imports',
    '/v1/imports/{id}',
    '/openapi.json',
    // They have no end.
    '/v1/events',
    '/v1/imports/{id}/events',
  ],
  internal: [
    '/',
    '/v1/health/liveliness',
    '/v1/health/info',
    '/v1/health/checks',
    '/metrics',
    '/v1/weatherd.h',
    '/openapi.json',
  ],
};

interface Document {
  readonly paths: Record<string, { readonly get?: { readonly responses: Record<string, Json> } }>;
}
type Json = { readonly content?: object };

/** Reads a reply to its end. Rejects if the connection is closed before the end. */
async function read(url: string) {
  const { status, headers, body } = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const hash = createHash('sha256');
  for await (const piece of body as AsyncIterable<Uint8Array>) hash.update(piece);
  return { status, headers, hash: hash.digest('hex') };
}

describe('long replies over HTTP', () => {
  let place: Place;
  /** Of each reply that was whole when it was read alone. */
  const hashes = new Map<string, string>();

  before(async () => {
    place = await Place.make('sqlite');
    const stores = await place.open();
    const [put, long] = await stores.stations.put([
      { ...STATION, timeZone: 'UTC', reportingInterval: STEP / MILLISECONDS.second },
      { ...STATION, id: LONG, timeZone: 'UTC', reportingInterval: LONG_STEP / MILLISECONDS.second },
    ]);
    await stores.observations.write([
      { batch: rows(put?.station.number ?? 0, ROWS, STEP, MEASURED) },
      { batch: rows(long?.station.number ?? 0, LONG_ROWS, LONG_STEP, MEASURED_LONG) },
    ]);
    // Otherwise values would be judged in the background, and their flags would change between two reads.
    await stores.merge?.(new AbortController().signal);
    const requests = await stores.recheck.requests(100);
    await stores.recheck.finish(requests.map(({ id }) => ({ id })));
    await stores.close();
  });
  after(() => place.remove());

  for (const transport of ['express', 'fastify']) {
    const isFirst = transport === 'express';
    describe(transport, () => {
      let service: Service;
      let urls: Readonly<Record<keyof typeof READS, string>>;
      beforeEach(async () => {
        service = await place.serve({
          WEATHERD_EXTERNAL_TRANSPORT: transport,
          WEATHERD_INTERNAL_TRANSPORT: transport,
        });
        urls = { external: service.externalUrl, internal: service.internalUrl };
      });
      afterEach(() => service.stop());

      for (const api of ['external', 'internal'] as const) {
        const all = Object.entries(READS[api]);

        it(`of each route of the ${api} API are whole when they are read alone`, async () => {
          const document = (await (await fetch(`${urls[api]}/openapi.json`)).json()) as Document;
          for (const [path, { get }] of Object.entries(document.paths)) {
            if (get === undefined || WITHOUT_ROWS[api].includes(path)) continue;
            const cases = READS[api][path];
            expect(cases, `GET ${path} of the ${api} API has no case here`).not.to.equal(undefined);
            const types: (string | null)[] = [];
            // The formats are written by the core. The second transport has one of each route alone, and all side by side.
            for (const { target, end, expected } of cases?.slice(0, isFirst ? undefined : 1) ?? []) {
              const reply = await fetch(`${urls[api]}${target}`, {
                headers: { 'accept-encoding': 'identity' },
              });
              types.push(reply.headers.get('content-type'));
              const body = Buffer.from(await reply.arrayBuffer());
              expect(reply.status, target).to.equal(200);
              expect(await end(body), target).to.deep.equal(expected);
              hashes.set(`${api} ${target}`, createHash('sha256').update(body).digest('hex'));
            }
            const documented = Object.keys(get.responses['200']?.content ?? {});
            if (isFirst)
              expect([...new Set(types)], `GET ${path} of the ${api} API`).to.have.members(documented);
          }
        });

        it(`of each route of the ${api} API are whole, or refused before their first byte, five side by side`, async () => {
          for (const five of isFirst ? all.map(([, cases]) => repeated(cases)) : mixed(all)) {
            const replies = await Promise.all(
              five.map(async (one) => ({ ...one, ...(await read(`${urls[api]}${one.target}`)) })),
            );
            for (const { target, status, headers, hash, hasAges } of replies) {
              if (status === 200) {
                if (hasAges !== true) expect(hash, target).to.equal(hashes.get(`${api} ${target}`));
              } else {
                expect(status, target).to.be.oneOf([429, 503]);
                expect(Number(headers.get('retry-after')), target).to.be.above(0);
              }
            }
            expect(
              replies.some(({ status }) => status === 200),
              five.map(({ target }) => target).join(' '),
            ).to.equal(true);
          }
        });
      }
    });
  }
});

/** Five requests of one route. */
function repeated(cases: readonly Case[]): Case[] {
  return Array.from({ length: 5 }, (_, index) => cases[index % cases.length] as Case);
}

/** All requests, in groups of five of different routes. */
function mixed(routes: readonly (readonly [path: string, cases: readonly Case[]])[]): Case[][] {
  const longest = Math.max(...routes.map(([, cases]) => cases.length));
  const inTurns = Array.from({ length: longest }, (_, index) =>
    routes.flatMap(([, cases]) => cases[index] ?? []),
  ).flat();
  return Array.from({ length: Math.ceil(inTurns.length / 5) }, (_, group) =>
    inTurns.slice(5 * group, 5 * group + 5),
  );
}

/** Rows whose last one is at `END`. */
function rows(station: number, length: number, step: number, variables: typeof MEASURED) {
  const column = (make: (row: number) => number) => Float64Array.from({ length }, (_, row) => make(row));
  const values = new Map(
    variables.map(({ number, limits: { min, max }, aggregation }) => [
      number,
      column((row) =>
        aggregation === 'sum'
          ? row % 12 === 0
            ? 0.2
            : 0
          : Math.round((min + (max - min) * (0.5 + 0.1 * Math.sin(row / 60 + number))) * 10) / 10,
      ),
    ]),
  );
  return {
    stations: new Uint32Array(length).fill(station),
    times: column((row) => END - (length - 1 - row) * step),
    values,
    flags: new Map(),
  };
}
