import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig } from '#composition/config.js';
import { startService } from '#composition/service.js';
import { silentLog } from './support/place.js';
import { Workplace } from './support/process.js';

const FILE = fileURLToPath(new URL('../../src/adapters/http/external/reply-examples.json', import.meta.url));

const HOURS = 'from=2013-07-18T12:00:00Z&to=2013-07-18T14:00:00Z';

/** By the name of the operation, a request whose reply is the example in the OpenAPI document. */
const TARGETS: Readonly<Record<string, string>> = {
  getInfo: '/',
  getStations: '/v1/stations?limit=1',
  getStationObservations: `/v1/stations/JFK/observations?${HOURS}&variables=air_temperature,wind_speed`,
  getObservations: `/v1/observations?stations=JFK,LGA&${HOURS}&variables=air_temperature`,
  getStationSummaries: '/v1/stations/JFK/summaries?from=2013-07-18&to=2013-07-19&variables=air_temperature',
  getStationWindRose: '/v1/stations/JFK/wind-rose?from=2013-07-01&to=2013-08-01&sectors=8&classes=4,8',
  getStationDerived: `/v1/stations/JFK/derived?${HOURS}&variables=heat_index`,
};

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
    const replies: Record<string, unknown> = {};
    for (const [operation, target] of Object.entries(TARGETS)) {
      const reply = await fetch(`${service.externalUrl}${target}`);
      expect(reply.status, target).to.equal(200);
      replies[operation] = await reply.json();
    }
    await service.stop();
    await workplace.remove();
    const text = `${JSON.stringify(replies, null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(FILE, text);
    expect(text).to.equal(readFileSync(FILE, 'utf8'));
  });
});
