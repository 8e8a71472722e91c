import { ELEMENTS } from '#domain/weather/climate/elements.js';
import { INDICES } from '#domain/weather/climate/indices/definitions.js';
import { percentileIndices } from '#domain/weather/climate/indices/percentile-indices.js';
import { VALIDITY } from '#domain/weather/climate/validity.js';
import { expectSection } from '../../../support/generated-section.js';

const PAGE = 'weather/climate.md';
const list = (entries: readonly (readonly [name: string, text: string])[]) =>
  entries.map(([name, text]) => `- \`${name}\`: ${text}\n`).join('');

describe('docs/weather/climate.md', () => {
  it('lists each rule of validity', () =>
    expectSection(PAGE, 'rules of validity', list(Object.entries(VALIDITY))));

  it('lists each element of months and years', () =>
    expectSection(PAGE, 'elements', list(ELEMENTS.map(({ name, description }) => [name, description]))));

  it('lists each climate index', () =>
    expectSection(PAGE, 'indices', list(INDICES.map(({ name, title }) => [name, title]))));

  it('lists each index of percentiles', () => {
    const indices = percentileIndices({ from: 1961, to: 1990 });
    return expectSection(
      PAGE,
      'indices of percentiles',
      list(indices.map(({ name, title }) => [name, title])),
    );
  });
});
