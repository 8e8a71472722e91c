import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SRC = join(ROOT, 'src');
const MAX_LINES = 250;

interface SourceFile {
  /** From `src`, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Specifiers of packages and of Node, and paths from `src` of the project's own files. */
  readonly imports: readonly string[];
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path): SourceFile => {
    const text = readFileSync(join(SRC, path), 'utf8');
    const specifiers = [...text.matchAll(/(?:^|[;}\s])(?:from|import)\s*\(?\s*'([^'\s]+)'/gm)].map(
      ([, name = '']) => name,
    );
    const imports = specifiers.map((name) =>
      name.startsWith('.') ? relative(SRC, resolve(SRC, dirname(path), name)).replace(/\.js$/, '.ts') : name,
    );
    return { path, text, imports };
  });

/** The files of a folder. A rule about a folder that does not exist would check nothing. */
function filesIn(folder: string): SourceFile[] {
  const found = files.filter(({ path }) => path.startsWith(`${folder}/`));
  expect(found, `${folder} contributes no file`).not.to.have.length(0);
  return found;
}

const isOwn = (name: string) => name.endsWith('.ts');
const adapters = readdirSync(join(SRC, 'adapters'));

describe('architecture', () => {
  it('the domain imports nothing but itself', () => {
    for (const { path, imports } of filesIn('domain')) {
      for (const name of imports) expect(name, path).to.match(/^domain\//);
    }
  });

  it('the application imports the domain and itself, and no package', () => {
    for (const { path, imports } of filesIn('application')) {
      for (const name of imports) expect(name, path).to.match(/^(?:domain|application)\//);
    }
    filesIn('application/ports');
  });

  it('ports are declarations: nothing in them runs', () => {
    for (const { path, text } of filesIn('application/ports')) {
      expect(text, path)
        .to.match(/^export interface [A-Z]\w+/m)
        .and.not.match(/^export (?:class|function|const)/m);
      expect(text, path).not.to.match(/interface (?:I[A-Z]|\w+Port\b)/);
    }
  });

  it('an adapter imports the application, the domain, packages and its own folder', () => {
    for (const adapter of adapters) {
      for (const { path, imports } of filesIn(`adapters/${adapter}`)) {
        for (const name of imports.filter(isOwn)) {
          expect(name, path).to.satisfy(
            (own: string) =>
              /^(?:domain|application|adapters\/formats)\//.test(own) ||
              own.startsWith(`adapters/${adapter}/`),
          );
        }
      }
    }
  });

  it('the two transports and the two contracts do not know each other', () => {
    const siblings = ['express', 'fastify', 'external', 'internal'].map((name) => `adapters/http/${name}`);
    for (const folder of siblings) {
      const others = siblings.filter((other) => other !== folder);
      for (const { path, imports } of filesIn(folder)) {
        for (const other of others) expect(imports.join(), path).not.to.contain(`${other}/`);
      }
    }
  });

  it('formats know the domain alone', () => {
    for (const { path, imports } of filesIn('adapters/formats')) {
      for (const name of imports.filter(isOwn))
        expect(name, path).to.match(/^(?:domain|adapters\/formats)\//);
    }
  });

  it('only the composition imports from itself', () => {
    filesIn('composition');
    for (const { path, imports } of files.filter((file) => !file.path.startsWith('composition/'))) {
      expect(imports.join(), path).not.to.contain('composition/');
    }
  });

  it('a framework stands in one place', () => {
    for (const [name, folder] of [
      ['express', 'adapters/http/express/'],
      ['fastify', 'adapters/http/fastify/'],
      ['inversify', 'composition/'],
      ['better-sqlite3', 'adapters/store-sqlite/'],
      ['pg', 'adapters/store-postgres/'],
      ['lru-cache', 'adapters/'],
      ['ipaddr.js', 'adapters/http/'],
      ['jsonwebtoken', 'adapters/token-jwt/'],
      ['@node-rs/argon2', 'adapters/password-argon2/'],
      ['commander', 'adapters/cli/'],
      ['zod', ''],
    ] as const) {
      const users = files.filter(({ imports }) => imports.includes(name));
      expect(users, name).not.to.have.length(0);
      for (const { path } of users) expect(path).to.match(new RegExp(`^${folder}`));
    }
  });

  it('only the configuration reads the environment', () => {
    const readers = files.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
    expect(readers).to.deep.equal(['composition/config.ts']);
  });

  it('nothing is decorated', () => {
    for (const { path, text } of files) expect(text, path).not.to.match(/^\s*@\w+\(/m);
  });

  it('files are named in kebab-case and no longer than a reader can hold', () => {
    for (const { path, text } of files) {
      expect(path).to.match(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)+[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/);
      expect(text.split('\n').length, path).to.be.at.most(MAX_LINES);
    }
  });
});
