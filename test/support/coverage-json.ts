import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

const { schemas } = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/coverage-json-schemas.json', import.meta.url), 'utf8'),
) as { readonly schemas: readonly object[] };

const ajv = new Ajv2020({ schemas: [...schemas], strict: false });

/** Expects a valid CoverageJSON document by the schemas of its authors, and what the schemas cannot say: lengths that fit. */
export function expectCoverageJson(document: unknown): void {
  const validate = ajv.getSchema('/schemas/coveragejson');
  expect(validate, 'schema').to.be.a('function');
  expect(validate?.(document), JSON.stringify(validate?.errors)).to.equal(true);
  const { type, coverages = [] } = document as Coverage & { readonly coverages?: readonly Coverage[] };
  for (const { domain, ranges } of type === 'Coverage' ? [document as Coverage] : coverages) {
    const { values: times, bounds } = domain.axes.t;
    if (bounds !== undefined) expect(bounds).to.have.length(2 * times.length);
    for (const [name, { shape, values }] of Object.entries(ranges)) {
      expect(shape, name).to.deep.equal([times.length]);
      expect(values, name).to.have.length(times.length);
    }
  }
}

export interface Coverage {
  readonly type: 'Coverage' | 'CoverageCollection';
  readonly id: string;
  readonly domain: {
    readonly axes: {
      readonly x: { readonly values: readonly number[] };
      readonly y: { readonly values: readonly number[] };
      readonly t: { readonly values: readonly string[]; readonly bounds?: readonly string[] };
    };
  };
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly ranges: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly values: readonly (number | null)[] }>
  >;
}
