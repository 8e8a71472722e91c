import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Instruction, instructionsFor } from '#application/uploads/setup/instructions.js';
import { readSource } from './support/architecture.js';
import { expectSection } from './support/generated-section.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = ['README', 'CONTRIBUTING', 'CHANGELOG'].map((name) => `${name}.md`);
const DOCS = [
  'architecture',
  'configuration',
  'decisions',
  'events',
  'glossary',
  'mqtt',
  'operating',
  'scaling',
  'security',
  'transports',
  'upgrading',
  'uploads',
  'weather',
];
const WEATHER = readdirSync(join(ROOT, 'docs/weather')).map((name) => `docs/weather/${name}`);
const ALL = [...PAGES, ...DOCS.map((name) => `docs/${name}.md`), ...WEATHER];

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

/** What to type into a console or program, as docs/uploads.md lists it. */
function typed({ make, where, note = '', text, missing: _missing, ...form }: Instruction): string {
  const fields = Object.entries(form).map(
    ([name, value]) => `${name} \`${String(value)}\`${name === 'interval' ? ' s' : ''}`,
  );
  const what = text === undefined ? fields.join(', ') : '`weatherd upload-key add` prints it';
  return `- **${make}**\n  - Where: ${where}\n  - What: ${[what, note].filter((part) => part !== '').join('. ')}\n`;
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

  it('list in docs/operating.md all health checks', () => {
    const [, chapter = ''] = /\n## Health\n(.*?)\n## /s.exec(read('docs/operating.md')) ?? [];
    const lists = [...chapter.matchAll(/^- ((?:`[a-z ]+`(?:, | and )?)+)/gm)];
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
    for (const page of ALL) {
      const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
      for (const link of links)
        expect(existsSync(join(ROOT, dirname(page), link)), `${page}: ${link}`).to.equal(true);
    }
  });

  it('name each page about weather data in docs/weather.md', () => {
    const index = read('docs/weather.md');
    expect(WEATHER).to.have.length.greaterThan(8);
    for (const page of WEATHER) expect(index).to.contain(`](${page.slice('docs/'.length)})`);
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
    const [, chapter = ''] = /\n## Guarantees.*?\n(.*?)\n## /s.exec(read('docs/security.md')) ?? [];
    const guarantees = chapter.split(/^- (?=\*\*)/m).slice(1);
    expect(guarantees).to.have.length.greaterThan(20);
    for (const guarantee of guarantees) {
      const [, tests = ''] = /^  - Tests: (.*)/ms.exec(guarantee) ?? [];
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

  it('list in docs/uploads.md what the command line prints for each make', async () => {
    const place = { host: 'HOST', port: 8082 };
    const addresses = { plain: place, api: { host: 'HOST', port: 443, tls: true } };
    const expected = instructionsFor({ station: 'STATION', key: 'KEY' }, addresses).map(typed);
    expect(expected).to.have.length.greaterThan(10);
    await expectSection('uploads.md', 'consoles and programs', expected.join(''));
  });

  it('keep the glossary on one page', () => {
    const words = rows(read('docs/glossary.md'), '| Word');
    expect(words.length).to.be.within(20, 30);
    for (const [word, meaning] of words) expect(meaning, word).to.match(/\.$/);
  });
});
