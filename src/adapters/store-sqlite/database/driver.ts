import { fileURLToPath } from 'node:url';
import type BetterSqlite from 'better-sqlite3';

type Driver = typeof BetterSqlite;

/**
 * The driver: version 13 of better-sqlite3 on Node.js 22 and later, version 12 on older versions of Node.js. On Node.js 24.19 and
 * later, version 12 crashes the process when a statement is garbage-collected. The published package has only version 13 as an
 * optional dependency, because version 12 brings 38 packages: on Node.js 20 version 12 is installed beside weatherd.
 */
export const Sqlite: Driver = await loadDriver(
  async (name) => ((await import(name)) as { default: Driver }).default,
);

/**
 * Loads the first driver that can open a database.
 *
 * @param module path of this module, which is in the package that the driver belongs beside
 * @throws Error that says what to do if no driver can: the drivers are not installed, or were installed for another version of Node.js
 */
export async function loadDriver(
  load: (name: string) => Promise<Driver>,
  module = fileURLToPath(import.meta.url),
): Promise<Driver> {
  const failures: unknown[] = [];
  for (const name of ['better-sqlite3-13', 'better-sqlite3']) {
    try {
      const driver = await load(name);
      // The native code is loaded only when the first database is opened.
      new driver(':memory:').close();
      return driver;
    } catch (error) {
      failures.push(error);
    }
  }
  const isOfAnotherNode = failures.some((error) => String(error).includes('NODE_MODULE_VERSION'));
  const { node } = process.versions;
  const needsCompiler = Number(node.split('.')[0]) < 22;
  const missing = needsCompiler
    ? `install weatherd again under Node.js 22 or later; under this one, ${node}, install the driver beside weatherd: ` +
      `${installation(module)}. For this driver npm may need Python, a C++ compiler, and its option --allow-scripts=better-sqlite3.`
    : "install weatherd again with npm's option --ignore-scripts, which needs no compiler; in a copy of the project npm start does that.";
  const message = isOfAnotherNode
    ? `weatherd was installed under another version of Node.js than this one, ${node}: install it again; ` +
      'in a copy of the project npm start does that.'
    : `No driver of SQLite could be loaded: ${missing}`;
  throw new Error(message, { cause: new AggregateError(failures) });
}

/** The command that installs the driver where the package that contains a module finds it. */
function installation(module: string): string {
  const [, folder] = /^(.+)\/node_modules\/weatherd\//.exec(module) ?? [];
  if (folder === undefined) return 'npm start, in the copy of the project';
  // The packages that are installed for all projects are in `lib` of npm's prefix.
  const [, prefix] = /^(.+)\/lib$/.exec(folder) ?? [];
  const place = prefix === undefined ? `--prefix ${folder}` : `--global --prefix ${prefix}`;
  return `npm install ${place} better-sqlite3@12`;
}
