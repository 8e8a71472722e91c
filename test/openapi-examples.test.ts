import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig } from '#composition/config.js';
import { startService } from '#composition/service.js';
import { silentLog } from './support/place.js';
import { Workplace } from './support/process.js';

const FILE = fileURLToPath(new URL('../../src/adapters/http/external/reply-examples.json', import.meta.url));

const HOURS = 'from=2013-07-18T12:00:00Z&to=2013-07-18T14:00:00Z';
const DAY = 'from=2013-07-18&to=2013-07-19';
const JFK = '/v1/stations/JFK';

/** By the name of the operation, requests whose replies are the examples in the OpenAPI document. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  getInfo: ['/'],
  getVariables: ['/v1/variables'],
  getPlaces: ['/v1/places?bbox=-74.3,40.5,-73.7,40.9&limit=2'],
  getStations: ['/v1/stations?limit=1', '/v1/stations?limit=1&format=geojson'],
  getStation: [JFK],
  getStationObservations: [
    `${JFK}/observations?${HOURS}&variables=air_temperature,wind_speed`,
    `${JFK}/observations?${HOURS}&variables=air_temperature,wind_speed&units=imperial&decimals=usual&format=csv`,
  ],
  getObservations: [
    `/v1/observations?stations=JFK,LGA&${HOURS}&variables=air_temperature`,
    `/v1/observations?stations=JFK,LGA&${HOURS}&variables=air_temperature&format=csv`,
  ],
  getStationObservationsLatest: [`${JFK}/observations/latest?include=rain`],
  getObservationsLatest: [
    '/v1/observations/latest?limit=1',
    '/v1/observations/latest?limit=1&format=geojson',
  ],
  getStationNow: [`${JFK}/now`],
  getStationSummaries: [
    `${JFK}/summaries?${DAY}&variables=air_temperature`,
    `${JFK}/summaries?${DAY}&variables=air_temperature&fields=mean,max,max_time&format=csv`,
  ],
  getSummaries: [
    `/v1/summaries?stations=JFK,LGA&${DAY}&variables=air_temperature&fields=mean,max`,
    `/v1/summaries?stations=JFK,LGA&${DAY}&variables=air_temperature&fields=mean,max&format=csv`,
  ],
  getStationWindRose: [
    `${JFK}/wind-rose?from=2013-07-01&to=2013-08-01&sectors=8&classes=4,8`,
    `${JFK}/wind-rose?from=2013-07-01&to=2013-08-01&sectors=8&classes=4,8&format=csv`,
  ],
  getStationDerived: [
    `${JFK}/derived?${HOURS}&variables=heat_index`,
    `${JFK}/derived?${HOURS}&variables=heat_index&format=csv`,
  ],
  getStationClimateMonths: [
    `${JFK}/climate/months?years=2013`,
    `${JFK}/climate/months?years=2013&format=csv`,
  ],
  getStationClimateRecords: [`${JFK}/climate/records`, `${JFK}/climate/records?format=csv`],
  getStationClimateNormals: [`${JFK}/climate/normals?period=2004-2013`],
  getStationClimateIndices: [`${JFK}/climate/indices`, `${JFK}/climate/indices?format=csv`],
  getStationClimateDegreeDays: [`${JFK}/climate/degree-days`, `${JFK}/climate/degree-days?format=csv`],
  getStationClimateUsual: [
    `${JFK}/climate/usual?from=07-18&to=07-19&variables=air_temperature`,
    `${JFK}/climate/usual?from=07-18&to=07-19&variables=air_temperature&format=csv`,
  ],
  getStationReportsNoaa: [`${JFK}/reports/noaa/2013-07.txt`],
};

/** Requests that are refused, by the code of their error. */
const REFUSED: Readonly<Record<string, string>> = {
  REQUEST_INVALID: `${JFK}/observations?variables=wind_sped`,
  STATION_UNKNOWN: '/v1/stations/JKF/observations',
  AUTH_TOKEN_INVALID: '/v1/users',
};

/** Number of rows of an example. */
const MAX_ROWS = 3;
/** Arrays of objects with many fields, which are cut to one element. */
const LONG = new Set(['months', 'by_year', 'indices', 'normals', 'variables']);

/** Shortens the tables of a reply, and replaces ages, which depend on the time of the request. */
function shortened(key: string, value: unknown): unknown {
  if (key === 'age') return 600;
  return Array.isArray(value) && LONG.has(key) ? value.slice(0, 1) : value;
}

/** The reply as an example: JSON as JSON, and the first lines of a text. */
async function exampleOf(reply: Response): Promise<unknown> {
  const text = await reply.text();
  if (text.startsWith('{')) return JSON.parse(text, shortened) as unknown;
  const lines = text.trimEnd().split('\r\n');
  return `${lines.slice(0, MAX_ROWS + 1).join('\r\n')}\r\n`;
}

describe('examples of the OpenAPI document', () => {
  it('are replies of the service with the demo', async () => {
    const workplace = await Workplace.make();
    const { status, stderr } = await workplace.run(['demo']);
    expect(status, stderr).to.equal(0);
    const settings = {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: workplace.dataDir,
    };
    const service = await startService(loadConfig(undefined, settings), silentLog);
    const ask = (target: string) => fetch(`${service.externalUrl}${target}`);
    const replies: Record<string, Record<string, unknown>> = {};
    for (const [operation, targets] of Object.entries(TARGETS)) {
      replies[operation] = {};
      for (const target of targets) {
        const reply = await ask(target);
        expect(reply.status, target).to.equal(200);
        replies[operation][reply.headers.get('content-type') ?? ''] = await exampleOf(reply);
      }
    }
    const errors: Record<string, unknown> = {};
    for (const [code, target] of Object.entries(REFUSED)) {
      const error = (await exampleOf(await ask(target))) as { readonly error: string };
      expect(error.error, target).to.equal(code);
      errors[code] = error;
    }
    await service.stop();
    await workplace.remove();
    const text = `${JSON.stringify({ replies, errors }, null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(FILE, text);
    expect(text).to.equal(readFileSync(FILE, 'utf8'));
  });
});
