import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';
import { IMPORT_FORMATS, recognize } from '#adapters/formats/import-formats/import-formats.js';
import { headOf } from '../../../support/imported.js';

describe('the makes', () => {
  it('are all in docs/import.md, by name and title', () => {
    const page = readFileSync(new URL('../../../../../docs/import.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z0-9-]+)` +\| (.*?) +\|$/gm)].map(([, name, title]) => [
      name,
      title,
    ]);
    const makes = listed.filter(([name]) => name !== 'meteostat-stations');
    expect(makes).to.have.deep.members(IMPORT_FORMATS.map(({ name, title }) => [name, title]));
    expect(new Set(IMPORT_FORMATS.map(({ name }) => name)).size).to.equal(IMPORT_FORMATS.length);
  });

  it('have an example in docs/import.md that is the package that the tests run', () => {
    const page = readFileSync(new URL('../../../../../docs/import.md', import.meta.url), 'utf8');
    for (const file of ['index.js', 'format.test.js']) {
      const url = new URL(`../../../../../test/fixtures/import-format-package/${file}`, import.meta.url);
      const example = readFileSync(url, 'utf8').replace("process.env.FORMAT ?? './index.js'", "'./index.js'");
      expect(page).to.contain(`\`\`\`js\n${example}\`\`\``);
    }
  });

  it('recognize each file of the fixtures once', () => {
    const folder = new URL('../../../../../test/fixtures/imports/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== 'README.md',
    );
    const of = new Map(
      files.map(({ parentPath, name }) => {
        const file = `${parentPath.replace(/^.*imports\/?/, '')}/${name}`;
        const head = headOf(file);
        return [file, IMPORT_FORMATS.filter((format) => recognize(head, new Map(), [format]) !== undefined)];
      }),
    );
    const unclear = [...of].filter(([, formats]) => formats.length !== 1);
    expect(unclear.map(([file, formats]) => [file, ...formats.map(({ name }) => name)])).to.deep.equal([]);
    // The newest formats prove that the list above is not empty.
    expect([...of.keys()].some((file) => file.startsWith('isd/'))).to.equal(true);
  });

  it('are named by the error if one has a defect', () => {
    const broken: ImportFormat = {
      name: 'broken',
      title: 'Broken',
      recognize: () => {
        throw new TypeError('fields is undefined');
      },
    };
    expect(() => recognize(headOf('x.csv', 'a,b\n'), new Map(), [broken])).to.throw(
      'The import format broken has failed: fields is undefined',
    );
  });

  it('recognize no file of another kind', () => {
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
        const found = recognize(headOf(name, content), new Map(), IMPORT_FORMATS);
        expect(found?.importFormat.name, JSON.stringify(content)).to.equal(undefined);
      }
    }
  });
});
