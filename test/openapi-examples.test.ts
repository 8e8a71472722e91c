import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig } from '#composition/config.js';
import { startService } from '#composition/service.js';
import { silentLog } from './support/place.js';
import { Workplace } from './support/process.js';

const FILE = fileURLToPath(new URL('../../src/adapters/http/external/reply-examples.json', import.meta.url));

const JFK = '/v1/stations/JFK';

/** By the name of the operation, requests whose replies are the examples in the OpenAPI document. */
const TARGETS = JSON.parse(
  readFileSync(new URL('../../src/adapters/http/external/reply-targets.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

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
    await workplace.makeDemo();
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
