import { expect } from 'chai';
import { setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { compileApi } from '#adapters/http/core/api.js';
import { DOCUMENTED_AUTH_ERRORS } from '#adapters/http/core/documented-errors.js';
import { type AnyEndpoint, jsonEndpoint } from '#adapters/http/core/endpoint.js';
import { describeApi } from '#adapters/http/core/openapi/openapi.js';
import { exchangeOf } from '#adapters/http/core/request/exchange.js';
import { Probe } from '#transport-suite/probe-endpoints.js';
import { request } from '#transport-suite/raw-http.js';
import { transportRules } from '#transport-suite/transport-contract.js';
import { DomainError } from '#domain/domain-error.js';
import { runApi, transports } from '../../support/api-server.js';

for (const [name, load] of transports) describe(`HTTP core › on ${name}`, () => transportRules(load));

for (const [name, load] of transports)
  describe(`the memory of replies on ${name}`, () => {
    it('is free again after a whole reply, also what a listener of the abort signal needs', async () => {
      const kept: WeakRef<object>[] = [];
      const endpoint = jsonEndpoint({
        method: 'GET',
        path: '/',
        summary: '',
        access: 'public',
        success: { kind: 'json', status: 200, message: '', schema: z.strictObject({}) },
        errors: [],
        call: ({ signal }): Record<string, never> => {
          const rows = { count: 0 };
          kept.push(new WeakRef(rows));
          signal.addEventListener('abort', () => (rows.count += 1));
          return {};
        },
      });
      const api = await runApi(await load(), { endpoints: [endpoint] });
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      for (let count = 0; count < 20; count += 1) {
        const reply = await request(api.url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        expect(reply.status).to.equal(200);
      }
      await api.server.close(1000);
      // A weak reference stays valid until the end of the task that made or read it.
      await nextTask();
      collect();
      // The engine may still use what belongs to the last request.
      expect(kept.filter((ref) => ref.deref() !== undefined).length).to.be.below(3);
    });
  });

describe('compileApi', () => {
  const definition = (endpoints: readonly AnyEndpoint[]) => ({
    endpoints,
    authorize: () => Promise.reject(new Error('no tokens here')),
    isClosing: () => false,
    onFailure: () => undefined,
  });
  const [thing] = new Probe().endpoints() as [AnyEndpoint];

  it('refuses two endpoints for the same method and path', () => {
    const other = { ...thing, path: '/v1/things/{id}/' };
    expect(() => compileApi(definition([thing, other]))).to.throw('declared twice');
  });

  it('refuses a path whose parameters are not those declared', () => {
    const { params: _none, ...bare } = thing;
    expect(() => compileApi(definition([{ ...thing, path: '/v1/{name}' }]))).to.throw('the params differ');
    expect(() => compileApi(definition([bare]))).to.throw('the params differ');
  });

  it('serves only messages that a server has received', () => {
    expect(() => exchangeOf({} as never)).to.throw('an HttpServer');
  });
});

describe('documented errors', () => {
  const failing = (path: string, code: 'AUTH_NOT_READY_YET' | 'AUTH_INVALID_CREDENTIALS') =>
    jsonEndpoint({
      method: 'GET',
      path,
      summary: '',
      access: 'public',
      success: { kind: 'json', status: 200, message: '', schema: z.strictObject({}) },
      errors: ['AUTH_INVALID_CREDENTIALS', 'AUTH_NOT_ALLOWED', 'AUTH_NOT_READY_YET'],
      call: (): Record<string, never> => {
        throw new DomainError(code, 'text');
      },
    });
  const documented = (endpoint: AnyEndpoint): AnyEndpoint => ({
    ...endpoint,
    documentedErrors: DOCUMENTED_AUTH_ERRORS,
  });

  it('belong only to the endpoint that declares them', async () => {
    const endpoints = [
      failing('/true-500', 'AUTH_NOT_READY_YET'),
      failing('/true-403', 'AUTH_INVALID_CREDENTIALS'),
      documented(failing('/documented-500', 'AUTH_NOT_READY_YET')),
      documented(failing('/documented-403', 'AUTH_INVALID_CREDENTIALS')),
    ];
    const api = await runApi(await transports[0]![1](), { endpoints });
    for (const [path, status, success, code] of [
      ['/true-500', 500, false, 500],
      ['/true-403', 403, false, 403],
      ['/documented-500', 500, true, 403],
      ['/documented-403', 403, true, 403],
    ] as const) {
      const reply = await request(api.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(reply.status, path).to.equal(status);
      expect(JSON.parse(reply.body), path).to.include({ success, code, message: 'text' });
    }
    await api.server.close(1000);
  });

  it('are described at their endpoint, with one schema for each code of a status', () => {
    const info = { title: 't', version: '1.0.0', description: 'd', secured: false };
    const endpoints = [
      failing('/true', 'AUTH_NOT_READY_YET'),
      documented(failing('/lie', 'AUTH_NOT_READY_YET')),
    ];
    const document = JSON.parse(JSON.stringify(describeApi(info, endpoints)));
    const schemaOf = (path: string, status: number) =>
      referred(document, document.paths[path].get.responses[status]).content['application/json'].schema;
    const variant = (success: boolean, code: number, error: object) => ({
      type: 'object',
      properties: {
        success: { const: success },
        code: { const: code },
        message: { type: 'string', description: 'Message for people' },
        error,
      },
      required: ['success', 'code', 'message', 'error'],
    });
    expect(schemaOf('/true', 500)).to.deep.equal(variant(false, 500, { const: 'AUTH_NOT_READY_YET' }));
    expect(schemaOf('/true', 403)).to.deep.equal(
      variant(false, 403, { enum: ['AUTH_INVALID_CREDENTIALS', 'AUTH_NOT_ALLOWED'] }),
    );
    expect(schemaOf('/lie', 500)).to.deep.equal(variant(true, 403, { const: 'AUTH_NOT_READY_YET' }));
    expect(schemaOf('/lie', 403)).to.deep.equal({
      oneOf: [
        variant(true, 403, { const: 'AUTH_INVALID_CREDENTIALS' }),
        variant(false, 403, { const: 'AUTH_NOT_ALLOWED' }),
      ],
    });
  });
});

describe('describeApi', () => {
  it('describes parameters, bytes and streams', () => {
    const info = { title: 't', version: '1.0.0', description: 'd', secured: true };
    const document = JSON.parse(JSON.stringify(describeApi(info, new Probe().endpoints())));
    const { get: read, delete: remove } = document.paths['/v1/things/{id}'];
    const parameters = read.parameters.map((item: Reference) => referred(document, item));
    expect(
      parameters.map((item: Record<string, unknown>) => [item['name'], item['in'], item['required']]),
    ).to.deep.equal([
      ['id', 'path', true],
      ['units', 'query', false],
      ['q', 'query', false],
    ]);
    const { default: other } = remove.responses;
    expect(referred(document, other).content['application/json'].schema).to.deep.equal({
      $ref: '#/components/schemas/Error',
    });
    expect(document.paths['/v1/bytes'].put.requestBody.content).to.have.keys('application/octet-stream');
    expect(document.paths['/v1/stream'].get.responses['200'].content).to.have.keys('text/csv');
    expect(document.security).to.deep.equal([{ bearer: [] }]);
  });
});

interface Reference {
  readonly $ref?: string;
}

/** The component that a part of a document refers to, or the part itself. */
function referred(document: Record<string, unknown>, part: Reference) {
  const [, , kind = '', name = ''] = part.$ref?.split('/') ?? [];
  const components = document['components'] as Record<string, Record<string, unknown>>;
  // oxlint-disable-next-line typescript/no-explicit-any
  return (part.$ref === undefined ? part : components[kind]?.[name]) as any;
}
