import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ELEMENTS } from '#domain/weather/climate/elements.js';
import { INDICES } from '#domain/weather/climate/indices/definitions.js';
import { VALIDITY } from '#domain/weather/climate/validity.js';

const document = new URL('../../../../../docs/weather.md', import.meta.url);

describe('docs/weather.md', () => {
  it('has a row for each rule of validity, each element of months and each climate index', () => {
    const rows = readFileSync(document, 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const expected = [
      ...Object.entries(VALIDITY),
      ...ELEMENTS.map(({ name, description }) => [name, description] as const),
      ...INDICES.map(({ name, title }) => [name, title] as const),
    ];
    for (const [name, text] of expected) {
      const row = rows.find((cells) => cells[1] === `\`${name}\``);
      expect(row?.slice(1, 3), name).to.deep.equal([`\`${name}\``, text]);
    }
  });
});
