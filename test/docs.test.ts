import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readSource } from './support/architecture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = ['README', 'CONTRIBUTING', 'CHANGELOG'].map((name) => `${name}.md`);
const DOCS = [
  'architecture',
  'configuration',
  'decisions',
  'glossary',
  'mqtt',
  'operating',
  'security',
  'transports',
  'weather',
];
const ALL = [...PAGES, ...DOCS.map((name) => `docs/${name}.md`)];

/** The cells of the table below a heading, without the header row. */
function rows(text: string, heading: string): string[][] {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(text.slice(text.indexOf(heading))) ?? [];
  const lines = table.trim().split('\n').slice(2);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

describe('docs', () => {
  it('name exactly the files that an addition touches', () => {
    const files = readSource(join(ROOT, 'src'));
    const examples = rows(read('docs/architecture.md'), '## To add something');
    expect(examples).to.have.length.greaterThan(8);
    for (const [what, example = '', listed = ''] of examples) {
      const text = example.replace(/^`|`$/g, '');
      const found = files.filter((file) => file.text.includes(text)).map(({ path }) => path);
      const named = [...listed.matchAll(/`([^`]+)`/g)].map(([, path]) => path);
      expect(found, `to add ${what}`).to.have.members(named);
    }
  });

  it('link to files that exist', () => {
    for (const page of ALL) {
      const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
      for (const link of links)
        expect(existsSync(join(ROOT, dirname(page), link)), `${page}: ${link}`).to.equal(true);
    }
  });

  it('name source files and folders that exist', () => {
    for (const page of ALL.filter((name) => name !== 'CHANGELOG.md')) {
      const named = [...read(page).matchAll(/`((?:src|test|bench|scripts|clients)\/[\w./-]+)`/g)];
      for (const [, path = ''] of named)
        expect(existsSync(join(ROOT, path)), `${page}: ${path}`).to.equal(true);
    }
  });

  it('name in docs/architecture.md paths below src/ that exist', () => {
    const paths = [
      ...read('docs/architecture.md').matchAll(/`((?:adapters|application|composition|domain)\/[\w./-]*)`/g),
    ];
    expect(paths).to.have.length.greaterThan(40);
    for (const [, path = ''] of paths) expect(existsSync(join(ROOT, 'src', path)), path).to.equal(true);
  });

  it('name an existing test for each guarantee of security', () => {
    const guarantees = rows(read('docs/security.md'), '## Guarantees');
    expect(guarantees).to.have.length.greaterThan(10);
    for (const [guarantee, , tests = ''] of guarantees) {
      const named = [...tests.matchAll(/`([\w/-]+)(?:\/\*)?`/g)].map(([, path = '']) =>
        join(ROOT, 'test', path),
      );
      expect(named, guarantee).not.to.have.length(0);
      for (const path of named)
        expect(existsSync(path) || existsSync(`${path}.test.ts`) || existsSync(`${path}.ts`), path).to.equal(
          true,
        );
    }
  });

  it('keep the glossary on one page', () => {
    const words = rows(read('docs/glossary.md'), '| Word');
    expect(words.length).to.be.within(20, 30);
    for (const [word, meaning] of words) expect(meaning, word).to.match(/\.$/);
  });
});
