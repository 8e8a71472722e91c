import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DERIVED_OF_PERIODS } from '../../../../src/domain/weather/derived/period-quantities.js';
import { DERIVED } from '../../../../src/domain/weather/derived/quantities.js';

const document = new URL('../../../../../docs/weather.md', import.meta.url);

describe('docs/weather.md', () => {
  it('has a row for each derived quantity, with its unit, standard name, formula and range', () => {
    const rows = readFileSync(document, 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    for (const { name, unit, standardName, formula, validity } of [...DERIVED, ...DERIVED_OF_PERIODS]) {
      const row = rows.find((cells) => cells[1]?.startsWith(`\`${name}\` `));
      const cf = standardName === undefined ? '–' : `\`${standardName}\``;
      expect(row?.slice(1, 5), name).to.deep.equal([`\`${name}\` (${unit})`, cf, formula, validity]);
    }
  });
});
