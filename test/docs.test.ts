import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Instruction, instructionsFor } from '#application/uploads/setup/instructions.js';
import { readSource } from './support/architecture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = ['README', 'CONTRIBUTING', 'CHANGELOG'].map((name) => `${name}.md`);
const OPERATING = readdirSync(join(ROOT, 'docs/operating')).map((name) => `operating/${name.slice(0, -3)}`);
const DOCS = [
  'alarms',
  'api',
  'architecture',
  'configuration',
  'decisions',
  'events',
  'frames',
  'glossary',
  'hooks',
  'import',
  'mqtt',
  'operating',
  ...OPERATING,
  'scaling',
  'security',
  'transports',
  'upgrading',
  'uploads',
  'weather',
];
const ALL = [...PAGES, ...DOCS.map((name) => `docs/${name}.md`)];
const LINKING = [...ALL, 'clients/c/README.md', 'clients/typescript/README.md'];

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

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/^(`{3,})[^]*?^\1$/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What to type into a make, as docs/uploads.md shows it. */
function typed({ make, where, note = '', text, missing: _missing, ...form }: Instruction): string[] {
  const fields = Object.entries(form).map(
    ([name, value]) => `${name} \`${String(value)}\`${name === 'interval' ? ' s' : ''}`,
  );
  const what = text === undefined ? fields.join(', ') : '`weatherd upload-key add` prints it';
  return [make, where, [what, note].filter((part) => part !== '').join('. ')].map((cell) =>
    cell.replaceAll('|', '\\|'),
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

  it('list in docs/operating/health.md all health checks', () => {
    const page = read('docs/operating/health.md');
    const lists = [...page.matchAll(/^- ((?:`[a-z ]+`(?:, | and )?)+)/gm)];
    const documented = lists.flatMap(([, list = '']) =>
      [...list.matchAll(/`(.*?)`/g)].map(([, name]) => name),
    );
    // The files that make a check, or a round that has one, name it. Those of listeners are composed.
    const found = readSource(join(ROOT, 'src'))
      .filter(
        ({ path, text }) => /\bcheck[(,:]|\bperiodic\(|_CHECK = /.test(text) && !path.includes('/doctor/'),
      )
      .flatMap(({ text }) =>
        [...text.matchAll(/(?:\bname:|\bname =|_CHECK =) '([a-z ]+)'/g)].map(([, name]) => name),
      );
    const listeners = ['external', 'internal', 'uploads'].map((name) => `${name} listener`);
    expect(new Set(documented)).to.deep.equal(new Set([...found, ...listeners]));
  });

  it('link to files that exist', () => {
    for (const page of LINKING) {
      const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
      for (const link of links)
        expect(existsSync(join(ROOT, dirname(page), link)), `${page}: ${link}`).to.equal(true);
    }
  });

  it('link to chapters that exist', () => {
    for (const page of LINKING) {
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*\.md)?#([^)]+)\)/g)];
      for (const [, path, anchor = ''] of links) {
        const target = path === undefined ? page : join(dirname(page), path);
        expect(anchorsOf(read(target)), `${page}: ${path ?? ''}#${anchor}`).to.include(anchor);
      }
    }
  });

  it('have an index of the pages of docs/operating', () => {
    const linked = [...read('docs/operating.md').matchAll(/^- \[.*?\]\((operating\/[\w-]+)\.md\): \w/gm)];
    expect(linked.map(([, page]) => page)).to.have.members(OPERATING);
  });

  it('are part of the package, in all folders', () => {
    const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };
    expect(files).to.include('docs/**/*.md');
  });

  it('say in a README of 8 KB what weatherd is', () => {
    expect(Buffer.byteLength(read('README.md'))).to.be.lessThan(8192);
  });

  it('name source files and folders that exist', () => {
    for (const page of ALL.filter((name) => name !== 'CHANGELOG.md')) {
      const named = [
        ...read(page).matchAll(/`((?:src|transport-suite|test|bench|scripts|clients)\/[\w./-]+)`/g),
      ];
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

  it('list in docs/uploads.md what the command line prints for each make', () => {
    const place = { host: 'HOST', port: 8082 };
    const addresses = { plain: place, api: { host: 'HOST', port: 443, tls: true } };
    const expected = instructionsFor({ station: 'STATION', key: 'KEY' }, addresses).map(typed);
    const page = join(ROOT, 'docs/uploads.md');
    const text = readFileSync(page, 'utf8');
    if (process.env['UPDATE_GOLDEN'] !== undefined) {
      const table = expected.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
      writeFileSync(page, text.replace(/(\| Make .*\n\|[ |-]*\n)(?:\|.*\n)*/, `$1${table}`));
    }
    const widths = (row: readonly string[]) => row.map((cell) => cell.trim());
    expect(rows(readFileSync(page, 'utf8'), '## What to type').map(widths)).to.deep.equal(expected);
  });

  it('keep the glossary on one page', () => {
    const words = rows(read('docs/glossary.md'), '| Word');
    expect(words.length).to.be.within(20, 30);
    for (const [word, meaning] of words) expect(meaning, word).to.match(/\.$/);
  });
});
