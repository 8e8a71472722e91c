import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Instruction, instructionsFor } from '#application/uploads/setup/instructions.js';
import { readSource } from './support/architecture.js';
import { expectSection } from './support/generated-section.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = ['README', 'CONTRIBUTING', 'CHANGELOG'].map((name) => `${name}.md`);
const OPERATING = readdirSync(join(ROOT, 'docs/operating')).map((name) => `operating/${name.slice(0, -3)}`);
const DOCS = [
  'alarms',
  'api',
  'architecture',
  'clients',
  'configuration',
  'decisions',
  'events',
  'files',
  'frames',
  'glossary',
  'home-assistant',
  'hooks',
  'import',
  'mqtt',
  'ogc',
  'operating',
  ...OPERATING,
  'scaling',
  'security',
  'sharing',
  'transports',
  'upgrading',
  'uploads',
  'weather',
];
/** What each room of `src` says about itself. */
const ROOM_PAGES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?:^|\/)README\.md$/.test(path))
  .map((path) => `src/${path}`);
const WEATHER = readdirSync(join(ROOT, 'docs/weather')).map((name) => `docs/weather/${name}`);
const ALL = [...PAGES, ...DOCS.map((name) => `docs/${name}.md`), ...WEATHER, ...ROOM_PAGES];
const LINKING = [...ALL, 'clients/c/README.md', 'clients/typescript/README.md'];

const IN_REPOSITORY = /^https:\/\/github\.com\/weatherd\/weatherd\/(?:blob|tree)\/main\/(.+)$/;

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

/** The items of the lists below a heading up to the next one, each in one line and without its dash. */
function bullets(text: string, heading: string): string[] {
  const [, chapter = ''] = new RegExp(`^${heading}$(.*?)(?=^## |(?![^]))`, 'ms').exec(text) ?? [];
  const [, ...items] = chapter.split(/^- /m);
  return items.map(
    (item) =>
      item
        .split('\n\n')[0]
        ?.replace(/\s*\n\s*/g, ' ')
        .trim() ?? '',
  );
}

/** The paths in code marks. A name of a source file without a folder is in the folder of the path before it. */
function pathsIn(text: string): string[] {
  let folder = '';
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]*)+|[\w.-]+\.tsx?)`/g)].map(([, path = '']) => {
    if (!path.includes('/')) return posix.join(folder, path);
    folder = path.endsWith('/') ? path : posix.dirname(path);
    return path;
  });
}

/** All folders of `src` with files, and the names of these files without README.md. */
function foldersOf(root: string): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'README.md') continue;
    const folder = posix.relative(root, entry.parentPath);
    folders.set(folder, [...(folders.get(folder) ?? []), entry.name]);
  }
  return folders;
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

/** What to type into a console or program, as docs/uploads.md lists it. */
function typed(instruction: Instruction): string {
  const {
    make,
    where,
    note = '',
    text,
    missing: _missing,
    profile: _profile,
    words: _words,
    ...form
  } = instruction;
  const fields = Object.entries(form).map(
    ([name, value]) => `${name} \`${String(value)}\`${name === 'interval' ? ' s' : ''}`,
  );
  const what = text === undefined ? fields.join(', ') : '`weatherd upload-key add` prints it';
  return `- **${make}**\n  - Where: ${where}\n  - What: ${[what, note].filter((part) => part !== '').join('. ')}\n`;
}

describe('docs', () => {
  it('name exactly the files that an addition touches', () => {
    const files = readSource(join(ROOT, 'src'));
    const items = bullets(read('docs/architecture.md'), '## To add something');
    expect(items).to.have.length.greaterThan(25);
    for (const item of items) {
      // The remarks behind the first sentence may name other files.
      const [, what = '', example, listed] = /^\*\*(.+?)\*\* \(`(.+?)`\): (.*?`)\.(?= |$)/.exec(item) ?? [];
      expect(example, `${item} has no example`).to.be.a('string');
      const found = files.filter((file) => file.text.includes(example ?? '')).map(({ path }) => path);
      expect(found, `to add ${what}`).to.have.members(pathsIn(listed ?? ''));
    }
  });

  it('name in docs/architecture.md every room of src/, each in one line of the lists', () => {
    const named = bullets(read('docs/architecture.md'), '## Rooms').flatMap((item) => {
      const [list = ''] = item.split('`: ');
      return pathsIn(`${list}\``);
    });
    const rooms = [...foldersOf(join(ROOT, 'src')).keys()].flatMap((folder) => {
      const [layer = '', room, inner] = folder.split('/');
      if (room === undefined) return [];
      const isDivided = ['adapters/http', 'application/observations'].includes(`${layer}/${room}`);
      return [
        `${layer}/${room}/`,
        ...(isDivided && inner !== undefined ? [`${layer}/${room}/${inner}/`] : []),
      ];
    });
    expect(rooms).to.have.length.greaterThan(50);
    expect(named).to.have.members([...new Set(rooms)]);
  });

  it('say in one sentence, at the beginning of its README.md, what each folder with more than five files is', () => {
    const large = [...foldersOf(join(ROOT, 'src'))].filter(([, files]) => files.length > 5);
    expect(large).to.have.length.greaterThan(50);
    for (const [folder] of large) {
      const page = `src/${folder}/README.md`;
      expect(existsSync(join(ROOT, page)), `${page} is missing`).to.equal(true);
      const [heading = '', first = ''] = read(page).split('\n\n');
      expect(heading, page).to.match(/^# \S/);
      const sentence = first.trim().replace(/\s*\n\s*/g, ' ');
      expect(sentence, page).to.match(/^[A-Z].*\.$/);
      expect(sentence, `${page}: one sentence`).not.to.match(/[.!?] [A-Z]/);
    }
  });

  it('list in the README.md of a room at most a dozen reasons, and name only files that exist', () => {
    const sources = ['src', 'test', 'scripts', 'bench', 'clients', 'transport-suite'].flatMap((folder) =>
      [...foldersOf(join(ROOT, folder))].flatMap(([path, files]) =>
        files.map((name) => `/${posix.join(folder, path, name)}`),
      ),
    );
    expect(ROOM_PAGES).to.have.length.greaterThan(20);
    for (const page of ROOM_PAGES) {
      expect(read(page).match(/^- /gm) ?? [], `${page}: at most a dozen reasons`).to.have.length.at.most(12);
      for (const [, name = ''] of read(page).matchAll(/`([\w./-]+\.(?:tsx?|mjs|json))`/g))
        expect(
          sources.some((path) => path.endsWith(`/${name.replace(/^(?:\.\.?\/)+/, '')}`)),
          `${page}: ${name}`,
        ).to.equal(true);
    }
  });

  it('number each decision in its order, with a date, alternatives and a reason', () => {
    const text = read('docs/decisions.md');
    const decisions = text.split(/^## (?=\d)/m).slice(1);
    expect(decisions).to.have.length.greaterThan(15);
    const dates = decisions.map((decision, index) => {
      expect(decision).to.match(new RegExp(`^${index + 1}\\. \\S`));
      for (const part of ['Context', 'Decision', 'Alternatives', 'Reason'])
        expect(decision).to.match(new RegExp(`^- \\*\\*${part}\\*\\*: \\S`, 'm'));
      return /^_(\d{4}-\d{2}-\d{2})(?:,.*)?_$/m.exec(decision)?.[1] ?? '';
    });
    expect(dates).not.to.include('');
    expect(dates).to.deep.equal(dates.toSorted());
  });

  it('give in docs/decisions.md a reason for each package', () => {
    const listed = bullets(read('docs/decisions.md'), '## Dependencies and their reasons')
      .map((item) => item.split('**')[1] ?? '')
      .join(', ');
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>;
    const names = ['dependencies', 'optionalDependencies', 'devDependencies']
      .flatMap((kind) => Object.keys(manifest[kind] ?? {}))
      .filter((name) => !name.startsWith('@types/'));
    expect(names).to.have.length.greaterThan(40);
    const known = listed.split(/, | and /).map((name) => name.replace(/ \d+$/, ''));
    for (const name of names)
      expect(known, name).to.include(name.replace(/^better-sqlite3-13$/, 'better-sqlite3'));
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

  it('name only benchmarks that npm run bench lists', () => {
    const [, listed = ''] = /Usage: npm run bench ([\w|-]+)/.exec(read('scripts/bench.mjs')) ?? [];
    const programs = listed.split('|');
    for (const name of programs) expect(existsSync(join(ROOT, `bench/${name}.ts`)), name).to.equal(true);
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `docs/${path}`);
    const named = [...pages, ...PAGES, 'bench/README.md'].flatMap((page) =>
      [...read(page).matchAll(/\bnpm run bench ([a-z][a-z-]*)/g)].map(([, name]) => name),
    );
    expect(named).to.include('forecast');
    expect(programs).to.include.members(named);
  });

  it('link to files that exist', () => {
    for (const page of LINKING) {
      const links = [...read(page).matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path);
      for (const link of links) {
        // The package does not contain all files of the repository, so its pages link to the repository for the others.
        const [, path] = IN_REPOSITORY.exec(link) ?? [];
        if (path === undefined && /^https?:/.test(link)) continue;
        expect(existsSync(join(ROOT, path ?? join(dirname(page), link))), `${page}: ${link}`).to.equal(true);
      }
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
    const blocks = read('docs/architecture.md').split(/\n\n|^(?:- |\d+\. )/m);
    const paths = blocks
      .flatMap(pathsIn)
      .filter((path) => !path.includes('/') || /^(?:adapters|application|composition|domain)\//.test(path));
    expect(paths).to.have.length.greaterThan(200);
    for (const path of paths) expect(existsSync(join(ROOT, 'src', path)), path).to.equal(true);
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
