import { expect } from 'chai';
import { createSandbox } from 'sinon';
import { z } from 'zod';
import { jsonEndpoint } from '#adapters/http/core/endpoint.js';
import { type RunningApi, runApi } from '../../../support/api-server.js';
import nodeTransport from '../../../support/node-transport.js';

/** Bytes of several pieces of 1 MiB, in which a body is examined. */
const LIMIT = 4 * 2 ** 20;

/** A JSON text of nearly `LIMIT` bytes. */
function filled(begin: string, part: (index: number) => string, end: string): string {
  const parts: string[] = [];
  for (let length = 0; length < LIMIT - 100; length += (parts.at(-1)?.length ?? 0) + 1)
    parts.push(part(parts.length));
  return `${begin}${parts.join(',')}${end}`;
}

const MANY = 'The body has more than 2000 members, arrays and objects.';
const REFUSED: readonly (readonly [title: string, body: string, message: string])[] = [
  ['many members', filled('{', (index) => `"${index}":0`, '}'), MANY],
  ['many objects', filled('[', () => '{}', ']'), MANY],
  ['many lists', filled('{"a":[', () => '[]', ']}'), MANY],
  ['members within many objects', filled('[', (index) => `{"k${index}":1}`, ']'), MANY],
  ['colons after a quote that is escaped', filled('{"a\\\\":[{"\\"":1},', (i) => `{"${i}":1}`, ']}'), MANY],
  ['many levels', '['.repeat(70_000), 'The body is nested more than 32 levels deep.'],
];

describe('the shape of a JSON body', () => {
  const sandbox = createSandbox();
  let running: RunningApi;

  before(async () => {
    const endpoint = jsonEndpoint({
      method: 'POST',
      path: '/v1/columns',
      summary: 'The number of values',
      access: 'public',
      body: { kind: 'json', schema: z.record(z.string(), z.array(z.unknown())), example: {}, limit: LIMIT },
      success: { kind: 'json', status: 200, message: 'Read.', schema: z.strictObject({ count: z.int() }) },
      errors: ['REQUEST_INVALID'],
      call: ({ body }) => ({ count: Object.values(body).flat().length }),
    });
    running = await runApi(nodeTransport, { endpoints: [endpoint] });
  });
  after(() => running.server.close(1000));
  afterEach(() => sandbox.restore());

  const post = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${running.url}/v1/columns`, { method: 'POST', headers, body });
    return (await response.json()) as Record<string, unknown>;
  };

  for (const [title, body, message] of REFUSED) {
    it(`is refused before it is parsed: ${title}`, async () => {
      const parse = sandbox.spy(JSON, 'parse');
      const reply = await post(body);
      expect(reply).to.include({ code: 400, error: 'REQUEST_INVALID', message });
      expect(parse.args.filter(([text]) => text.length > 10_000)).to.deep.equal([]);
    });
  }

  it('has any number of values, and of colons within texts', async () => {
    const times = filled('{"time":[', () => '"2024-01-01T00:00:00[{Z"', '],"a":[{"\\":":1}]}');
    expect(await post(times)).to.include({ code: 200 });
  });
});
