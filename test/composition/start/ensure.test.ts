import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));
const INSTALLED = join(PROJECT, 'node_modules');

/** Node.js before 22 needs a compiled driver. */
const NEEDS_COMPILER = Number(process.versions.node.split('.')[0]) < 22;

/** Stands for npm: writes down its parameters, and with its last command installs the drivers of this project. */
const NPM = `#!${process.execPath}
const { appendFileSync, existsSync, rmSync, symlinkSync } = require('node:fs');
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n');
for (const name of process.argv[2] === '${NEEDS_COMPILER ? 'rebuild' : 'ci'}' ? ['better-sqlite3', 'better-sqlite3-13'] : []) {
  rmSync('node_modules/' + name, { recursive: true, force: true });
  const installed = ${JSON.stringify(INSTALLED)} + '/' + name;
  if (existsSync(installed)) symlinkSync(installed, 'node_modules/' + name);
}
`;

/** What npm start does: it installs, and loads the driver in the same process. */
const START = `import { ensureInstalled } from './ensure.mjs';
await ensureInstalled(() => console.error('meanwhile'));
for (const name of ['better-sqlite3-13', 'better-sqlite3']) {
  try {
    const { default: Sqlite } = await import(name);
    new Sqlite(':memory:').close();
    console.log('loaded');
    break;
  } catch {}
}
`;

const DRIVERS = ['better-sqlite3', 'better-sqlite3-13'].filter((name) => existsSync(join(INSTALLED, name)));

/** What is in place of the native part of a driver; undefined if the driver is missing altogether. */
const BROKEN: Readonly<Record<string, 'nothing' | 'other bytes' | undefined>> = {
  'is missing': undefined,
  'has lost its native part': 'nothing',
  'has a native part that does not load': 'other bytes',
};

describe('the check of an installation at npm start', () => {
  let folder: string;
  const modules = () => join(folder, 'node_modules');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-ensure-'));
    for (const name of ['scripts', 'bin', 'node_modules']) mkdirSync(join(folder, name));
    for (const name of ['ensure.mjs', 'languages.mjs', 'manifest.mjs'])
      cpSync(join(PROJECT, 'scripts', name), join(folder, 'scripts', name));
    writeFileSync(join(folder, 'scripts/start.mjs'), START);
    // Used by a driver that looks for its native part.
    for (const name of ['bindings', 'file-uri-to-path'])
      if (existsSync(join(INSTALLED, name))) symlinkSync(join(INSTALLED, name), join(modules(), name));
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    writeFileSync(join(modules(), '.package-lock.json'), '{}');
    writeFileSync(join(folder, 'bin/npm'), NPM);
    chmodSync(join(folder, 'bin/npm'), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const start = () => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      XDG_CACHE_HOME: join(folder, 'cache'),
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
    };
    const options = { cwd: folder, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], options);
    return { status, stdout: stdout.trim(), stderr };
  };
  const LOADED = { status: 0, stdout: 'loaded' };
  const installations = () => readFileSync(join(folder, 'npm.log'), 'utf8').trim().split('\n');

  const isNative = (path: string) => path.endsWith('.node');
  const copyWithoutNative = (name: string) => {
    const filter = (path: string) => !/\/(?:deps|src)$/.test(path) && !isNative(path);
    cpSync(join(INSTALLED, name), join(modules(), name), { recursive: true, filter });
  };

  const expectInstalledOnce = () => {
    const commands = installations().map((line) => line.replace(/ --no-audit.*/, ''));
    const compiled = NEEDS_COMPILER ? ['rebuild better-sqlite3'] : [];
    expect(commands).to.deep.equal(['ci --ignore-scripts', ...compiled]);
  };

  for (const [how, native] of Object.entries(BROKEN)) {
    it(`repairs one whose driver of SQLite ${how}, and the same process loads it`, () => {
      for (const name of native === undefined ? [] : DRIVERS) {
        copyWithoutNative(name);
        for (const path of native === 'nothing'
          ? []
          : readdirSync(join(INSTALLED, name), { recursive: true }))
          if (isNative(String(path))) writeFileSync(join(modules(), name, String(path)), 'other bytes');
      }
      expect(start()).to.include(LOADED);
      expectInstalledOnce();
      expect(start()).to.include(LOADED);
      expectInstalledOnce();
    });
  }

  it('ends in one line if no driver works after it has installed', () => {
    writeFileSync(join(folder, 'bin/npm'), NPM.replace('(existsSync(installed))', '(false)'));
    const { status, stdout, stderr } = start();
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(
      /^Installing.*\n(?:Compiling.*\n)?meanwhile\nweatherd: No driver of SQLite could be installed: .*\.\n$/,
    );
    expectInstalledOnce();
  });

  if (NEEDS_COMPILER)
    it('takes the driver that an earlier one has compiled, and compiles where it cannot be used or kept', () => {
      const kept = () => readdirSync(join(folder, 'cache/weatherd'));
      const compiled = () => installations().filter((line) => line.startsWith('rebuild')).length;
      const startAnew = () => {
        rmSync(join(modules(), 'better-sqlite3'), { recursive: true, force: true });
        copyWithoutNative('better-sqlite3');
        expect(start()).to.include(LOADED);
      };
      startAnew();
      expect(compiled()).to.equal(1);
      expect(kept()).to.have.length(1);
      startAnew();
      expect(compiled()).to.equal(1);
      const [name = ''] = kept();
      writeFileSync(join(folder, 'cache/weatherd', name), 'other bytes');
      startAnew();
      expect(compiled()).to.equal(2);
      expect(kept()).to.deep.equal([name]);
      startAnew();
      expect(compiled()).to.equal(2);
      rmSync(join(folder, 'cache/weatherd', name));
      mkdirSync(join(folder, 'cache/weatherd', name));
      startAnew();
      expect(compiled()).to.equal(3);
      expect(kept()).to.deep.equal([name]);
      rmSync(join(folder, 'cache'), { recursive: true });
      writeFileSync(join(folder, 'cache'), 'no folder');
      startAnew();
      expect(compiled()).to.equal(4);
    });

  it('leaves one alone whose driver works', () => {
    for (const name of DRIVERS) symlinkSync(join(INSTALLED, name), join(modules(), name));
    expect(start()).to.include(LOADED);
    expect(() => installations()).to.throw('ENOENT');
  });
});
