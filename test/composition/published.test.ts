import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, type Token, tokTypes } from 'acorn';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import {
  BESIDE,
  INSTALLED,
  type Manifest,
  packagesOf,
  packedFiles,
  publishedManifest,
  publishManifest,
  readLock,
  readManifest,
  restoreManifest,
  sbom,
  shorten,
  UNUSED,
} from '../support/published.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const BUNDLES = ['dist/service', 'dist/site'];

/** Matches a sentence of a license that permits copies. A name of a license alone has none. */
const LICENSE_TEXT =
  /permission[^.]+is\s+hereby\s+granted|permission to use, copy|redistribution and use|hereby\s+grants\s+to\s+you|each contributor (?:licenses you|hereby grants)/i;

/** The names that a module imports or requires, where the name is written in place. */
function importsOf(text: string): string[] {
  const found: string[] = [];
  // The two tokens before the current token: `import` or `from`, or a call of `import` or `require`.
  let [beforeLast, last] = ['', ''];
  const onToken = ({ type, start, end }: Token) => {
    const isCall = last === '(' && /(?:^import|require\d*)$/i.test(beforeLast);
    const isFrom = isCall || last === 'import' || last === 'from';
    if (isFrom && type === tokTypes.string) found.push(text.slice(start + 1, end - 1));
    [beforeLast, last] = [last, text.slice(start, end)];
  };
  parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, onToken });
  return found;
}

/** Matches the names in a text that a module could import, also in its strings. */
const NAMES = /(?:import|from|require\d*)\s*\(?\s*["']([^\s"']+)["']/gi;

function isOfPackage(name: string): boolean {
  return !/^(?:\.|node:)/.test(name) && !builtinModules.includes(name.replace(/\/$/, ''));
}

/** The names of packages that a module imports. Most modules name none, and these are not parsed, because that takes seconds. */
function packageImportsOf(text: string): string[] {
  const mayImport = [...text.matchAll(NAMES)].some(([, name = '']) => isOfPackage(name));
  return mayImport ? importsOf(text).filter(isOfPackage) : [];
}

const published = () => publishedManifest(readManifest());
const bundles = () => Object.fromEntries(BUNDLES.map((folder) => [folder, packagesOf(folder)]));

describe('the published package', () => {
  it('names each package that its files import', () => {
    const { dependencies, optionalDependencies, peerDependencies } = published();
    const named = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const imported = new Set(
      BUNDLES.flatMap((folder) =>
        readdirSync(join(PROJECT, folder))
          .filter((name) => name.endsWith('.js'))
          .flatMap((name) => packageImportsOf(readFileSync(join(PROJECT, folder, name), 'utf8'))),
      ),
    );
    expect([...imported]).to.include.members(['piscina', '@node-rs/argon2', 'chai']);
    expect([...named, ...UNUSED]).to.include.members([...imported]);
  });

  it('names no other package, and only versions of the project', () => {
    const project = readManifest();
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } = published();
    const installed = { ...dependencies, ...optionalDependencies };
    expect(Object.keys(installed)).to.have.members(INSTALLED);
    expect({ ...project.dependencies, ...project.optionalDependencies }).to.include(installed);
    expect(Object.keys(peerDependencies ?? {})).to.have.members(BESIDE);
    expect(peerDependencies?.['better-sqlite3']).to.equal(
      `^${project.optionalDependencies?.['better-sqlite3']}`,
    );
    expect(devDependencies).to.equal(undefined);
    expect(project.files).to.include('dist/sbom.cdx.json');
  });

  it('has a bill of materials with each bundled and each installed package', () => {
    const bill = sbom(published(), readLock(), bundles());
    const listed = (where: string) =>
      bill.components
        .filter(({ evidence }) => evidence?.occurrences.some(({ location }) => location === where))
        .map(({ purl }) => decodeURIComponent(purl));
    for (const folder of BUNDLES) {
      const texts = readFileSync(join(PROJECT, folder, 'LICENSES.txt'), 'utf8');
      const packages = packagesOf(folder).map(({ name, version }) => `${name}@${version}`);
      expect(packages).to.have.length.greaterThan(5);
      expect(new Set(listed(folder))).to.deep.equal(new Set(packages.map((name) => `pkg:npm/${name}`)));
      for (const name of packages) expect(texts).to.contain(`${name.replace(/(?<=.)@/, ' ')}\n`);
    }
    const beside = bill.components.filter(({ evidence }) => evidence === undefined).map(({ purl }) => purl);
    const lock = readLock();
    for (const name of INSTALLED) {
      const { version = '' } = lock.packages[`node_modules/${name}`] ?? {};
      expect(beside).to.include(`pkg:npm/${name.replace(/-13$/, '').replace('@', '%40')}@${version}`);
    }
    expect(beside.some((purl) => purl.includes('node-addon-api'))).to.equal(true);
    for (const { licenses, purl } of bill.components)
      expect(JSON.stringify(licenses), purl).to.match(/^\[\{"(?:license":\{"id|expression)":/);
    const refs = bill.components.map(({ purl }) => purl);
    expect(new Set(refs).size).to.equal(refs.length);
    for (const { dependsOn } of bill.dependencies) expect(refs).to.include.members([...dependsOn]);
  });

  it('has only links to files that it contains, and to addresses', () => {
    const packed = packedFiles(PROJECT);
    const pages = packed.filter((path) => path.endsWith('.md'));
    expect(pages).to.include.members(['README.md', 'docs/operating/service.md', 'clients/c/README.md']);
    for (const page of pages) {
      const text = readFileSync(join(PROJECT, page), 'utf8');
      for (const [, link = ''] of text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)) {
        const target = join(dirname(page), link).replace(/\/$/, '');
        const isPacked = packed.some((path) => path === target || path.startsWith(`${target}/`));
        expect(isPacked, `${page}: ${link}`).to.equal(true);
      }
    }
  });

  it('has the text of the license of each bundled package', () => {
    for (const folder of BUNDLES) {
      const texts = readFileSync(join(PROJECT, folder, 'LICENSES.txt'), 'utf8').split(
        `\n${'-'.repeat(80)}\n\n`,
      );
      for (const [index, { name, version }] of packagesOf(folder).entries()) {
        const text = texts[index] ?? '';
        expect(text.startsWith(`${name} ${version}\n`), `${folder}: ${name}`).to.equal(true);
        expect(text, name).to.match(LICENSE_TEXT).and.not.to.contain('undefined');
      }
    }
  });

  it('has a bill of materials that does not depend on the order of the bundled packages', () => {
    const lock = readLock();
    const reversed = Object.fromEntries(BUNDLES.map((folder) => [folder, packagesOf(folder).toReversed()]));
    expect(JSON.stringify(sbom(published(), lock, reversed))).to.equal(
      JSON.stringify(sbom(published(), lock, bundles())),
    );
  });

  it('gets its package.json for npm pack alone, also if npm pack was interrupted', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weatherd-published-'));
    const file = join(folder, 'package.json');
    const text = readFileSync(join(PROJECT, 'package.json'), 'utf8');
    const manifest = () => JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    try {
      writeFileSync(file, text);
      // Once without its end.
      for (const ends of [false, true]) {
        publishManifest(folder);
        expect(manifest()).to.deep.equal(published());
        // The scripts of npm pack repair the project. Their files are not in the package, so no other script would work there.
        expect(manifest().scripts).to.have.keys('prepack', 'postpack');
        if (ends) restoreManifest(folder);
      }
      restoreManifest(folder);
      expect(readFileSync(file, 'utf8')).to.equal(text);
      expect(readdirSync(folder)).to.deep.equal(['package.json']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has source maps that name the same line as the maps of the bundler', () => {
    const { outputFiles } = buildSync({
      absWorkingDir: PROJECT,
      entryPoints: ['src/adapters/calendar-temporal/zone-spans.ts'],
      conditions: ['weatherd-source'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 160,
      sourcemap: 'external',
      outdir: 'out',
      write: false,
    });
    const text = outputFiles.find(({ path }) => path.endsWith('.map'))?.text ?? '';
    const map = JSON.parse(text) as { mappings: string; sources: string[]; names: string[] };
    expect(map.sources).to.have.length.greaterThan(1);
    const payload = (mappings: string) =>
      new SourceMap({ file: '', version: 3, sourceRoot: '', sourcesContent: [], ...map, mappings });
    const short = shorten(map.mappings);
    expect(short.length).to.be.below(map.mappings.length / 2);
    const [before, after] = [payload(map.mappings), payload(short)];
    const linesOf = (found: SourceMap, line: number) =>
      Array.from({ length: 160 }, (_, column) => {
        const entry = found.findEntry(line, column) as { originalSource?: string; originalLine?: number };
        return `${entry.originalSource}:${entry.originalLine}`;
      }).join('\n');
    for (const [line, segments] of map.mappings.split(';').entries())
      if (segments !== '') expect(linesOf(after, line)).to.equal(linesOf(before, line));
  });
});
