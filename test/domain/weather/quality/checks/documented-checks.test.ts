import { expect } from 'chai';
import { CHECKS } from '#domain/weather/series.js';
import { expectSection } from '../../../../support/generated-section.js';
import { CHECK_TABLE, checkList, noticeList, numbersTable, variableTable } from './check-table.js';

describe('docs/weather, quality control', () => {
  it('has the table of variables', () => expectSection('weather/variables.md', 'variables', variableTable()));

  it('has the list of checks', () => expectSection('weather/quality-control.md', 'checks', checkList()));

  it('has the table of the numbers of checks', () =>
    expectSection('weather/quality-control.md', 'numbers of checks', numbersTable()));

  it('has the kinds of notices', () => expectSection('weather/notices.md', 'notices', noticeList()));

  it('has each check that a flag stands for', () => {
    const documented = CHECK_TABLE.map(({ flag }) => flag as string);
    expect(documented.sort()).to.deep.equal(
      Object.keys(CHECKS)
        .filter((flag) => flag !== 'overridden')
        .sort(),
    );
  });
});
