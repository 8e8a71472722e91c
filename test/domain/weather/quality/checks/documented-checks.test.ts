import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { format } from 'prettier';
import { CHECKS } from '#domain/weather/series.js';
import { CHECK_TABLE, checkTable, numbersTable, variableTable } from './check-table.js';

const DOCUMENT = new URL('../../../../../../docs/weather.md', import.meta.url);
const TABLES = { variables: variableTable, checks: checkTable, 'numbers of checks': numbersTable };

describe('docs/weather.md, quality control', () => {
  for (const [name, make] of Object.entries(TABLES))
    it(`has the table of ${name}`, async () => {
      const text = readFileSync(DOCUMENT, 'utf8');
      const [begin, end] = [
        `<!-- ${name}: made by UPDATE_GOLDEN=1 npm test -->\n\n`,
        `\n<!-- end of ${name} -->`,
      ];
      const from = text.indexOf(begin) + begin.length;
      const to = text.indexOf(end);
      expect(from).to.be.within(begin.length, to);
      const made = await format(make(), { parser: 'markdown', printWidth: 110 });
      if (process.env['UPDATE_GOLDEN'] !== undefined)
        writeFileSync(DOCUMENT, text.slice(0, from) + made + text.slice(to));
      else expect(text.slice(from, to)).to.equal(made);
    });

  it('has each check that a flag stands for', () => {
    const documented = CHECK_TABLE.map(({ flag }) => flag as string);
    expect(documented.sort()).to.deep.equal(
      Object.keys(CHECKS)
        .filter((flag) => flag !== 'overruled')
        .sort(),
    );
  });
});
