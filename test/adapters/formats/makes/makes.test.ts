import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { MAKES, recognise } from '#adapters/formats/makes/makes.js';
import { headOf } from '../../../support/imported.js';

describe('the makes', () => {
  it('are all in docs/import.md, by name and title', () => {
    const page = readFileSync(new URL('../../../../../docs/import.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z0-9-]+)` +\| (.*?) +\|$/gm)].map(([, name, title]) => [
      name,
      title,
    ]);
    const makes = listed.filter(([name]) => name !== 'meteostat-stations');
    expect(makes).to.have.deep.members(MAKES.map(({ name, title }) => [name, title]));
    expect(new Set(MAKES.map(({ name }) => name)).size).to.equal(MAKES.length);
  });

  it('recognise no file of another kind', () => {
    for (const content of [
      '',
      '\n',
      'time,air_temperature\n2024-01-01T00:00:00Z,1\n',
      'a;b\n1;2\n',
      '\0\0',
      '{}',
      'Dear all,\n',
    ]) {
      for (const name of ['x.csv', 'JAN24log.txt']) {
        const found = recognise(headOf(name, content), new Map());
        expect(found?.make.name, JSON.stringify(content)).to.equal(undefined);
      }
    }
  });
});
