import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ApiName } from '../src/application/operation/get-info.js';
import { makeServiceUnderTest } from './support/service-endpoints.js';

/** The golden files. A reviewer reads changes as a diff. `UPDATE_GOLDEN=1 npm test` writes them again. */
const golden = (api: ApiName) => new URL(`../../docs/openapi-${api}.json`, import.meta.url);

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, unknown>;
}

for (const api of ['external', 'internal'] as const) {
  describe(`OpenAPI › ${api}`, () => {
    const served = async () => {
      const { endpoints } = await makeServiceUnderTest();
      const own = endpoints[api].find(({ path }) => path === '/openapi.json');
      return (await own?.call({} as never)) as {
        openapi: string;
        paths: Record<string, Record<string, Operation>>;
      };
    };

    it('is the golden file', async () => {
      const text = `${JSON.stringify(await served(), null, 2)}\n`;
      if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(golden(api), text);
      expect(text).to.equal(readFileSync(golden(api), 'utf8'));
    });

    it('describes every endpoint, each with an operation id of its own', async () => {
      const { endpoints } = await makeServiceUnderTest();
      const { openapi, paths } = await served();
      expect(openapi).to.match(/^3\.1\./);
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      expect(operations).to.have.length(endpoints[api].length);
      expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(operations.length);
      for (const { method, path, success } of endpoints[api]) {
        expect(paths[path]?.[method.toLowerCase()]?.responses).to.have.property(String(success.status));
      }
    });

    it('has no dangling reference', async () => {
      const document = await served();
      for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
        const target = pointer
          .split('/')
          .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
        expect(target, pointer).to.be.an('object');
      }
    });
  });
}
