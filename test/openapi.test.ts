import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ApiName } from '#application/operation/get-info.js';
import { openApiProblems } from './support/openapi-problems.js';
import { makeServiceUnderTest } from './support/service-endpoints.js';

/** The golden files. A reviewer reads changes as a diff. `UPDATE_GOLDEN=1 npm test` writes them again. */
const golden = (api: ApiName) => new URL(`../../docs/openapi-${api}.json`, import.meta.url);

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Record<string, unknown>;
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly schema?: { readonly maxLength?: number };
}

/** Lists of a few names, which fit into the usual length of a parameter. */
const SHORT_LISTS = new Set(['include', 'degree_days']);

for (const api of ['external', 'internal'] as const) {
  describe(`OpenAPI › ${api}`, () => {
    const served = async () => {
      const { endpoints } = await makeServiceUnderTest();
      const own = endpoints[api].find(({ path }) => path === '/openapi.json');
      return (await own?.call({} as never)) as {
        openapi: string;
        paths: Record<string, Record<string, Operation>>;
        components: { readonly parameters: Record<string, Parameter> };
      };
    };

    it('has room for the longest list in each parameter that is one', async () => {
      const { paths, components } = await served();
      const own = Object.values(paths).flatMap((path) =>
        Object.values(path).flatMap((one) => one.parameters ?? []),
      );
      const all = [...own, ...Object.values(components.parameters ?? {})].filter((one) => 'name' in one);
      const lists = all.filter(({ description = '' }) => description.includes('separated by commas'));
      expect(lists).not.to.have.length(0);
      const short = lists.filter(({ schema }) => (schema?.maxLength ?? 0) <= 64).map(({ name }) => name);
      expect(short.filter((name) => !SHORT_LISTS.has(name))).to.deep.equal([]);
    });

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

    it('has no problem by the recommended rules of Redocly', async () => {
      expect(await openApiProblems(golden(api))).to.deep.equal([]);
    });

    it('describes every parameter, and refers to those that several operations have', async () => {
      const { paths, components } = await served();
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      const parameters = operations.flatMap(({ parameters: own = [] }) => own);
      const inline = parameters.flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]));
      const texts = inline.map((parameter) => JSON.stringify(parameter));
      for (const name of Object.keys(components.parameters ?? {})) {
        const reference = JSON.stringify({ $ref: `#/components/parameters/${name}` });
        expect(parameters.filter((each) => JSON.stringify(each) === reference).length).to.be.above(1);
      }
      expect(
        texts.filter((text) =>
          Object.values(components.parameters ?? {}).some((shared) => JSON.stringify(shared) === text),
        ),
      ).to.deep.equal([]);
      for (const { name, description } of [...inline, ...Object.values(components.parameters ?? {})]) {
        expect(description, name).to.be.a('string').and.not.equal('');
      }
    });

    it('lists the codes of each error status, and the codes of all requests', async () => {
      const { paths, components } = (await served()) as unknown as {
        paths: Record<string, Record<string, Operation>>;
        components: { responses: Record<string, unknown> };
      };
      const text = JSON.stringify(components.responses);
      for (const { operationId, responses } of Object.values(paths).flatMap((methods) =>
        Object.values(methods),
      )) {
        expect(Object.keys(responses), operationId).to.include.members(['500', 'default']);
      }
      expect(text).to.include('"error":{"const":"INTERNAL_ERROR"}');
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
