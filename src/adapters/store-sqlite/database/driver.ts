import type BetterSqlite from 'better-sqlite3';

type Driver = typeof BetterSqlite;

/**
 * Version 13 of better-sqlite3 where it works, which is on Node.js 22 and later, and version 12 elsewhere. On Node.js
 * 24.19 and later version 12 ends the process as soon as a statement is collected as garbage. Both are optional to npm.
 */
export const Sqlite = await loadDriver(async (name) => ((await import(name)) as { default: Driver }).default);

/**
 * The first driver that can open a database.
 *
 * @throws Error that says what to do when neither can: they could not be installed, or were for another Node.js
 */
export async function loadDriver(load: (name: string) => Promise<Driver>): Promise<Driver> {
  const failures: unknown[] = [];
  for (const name of ['better-sqlite3-13', 'better-sqlite3']) {
    try {
      const driver = await load(name);
      // The native part is loaded with the first database.
      new driver(':memory:').close();
      return driver;
    } catch (error) {
      failures.push(error);
    }
  }
  const isOfAnotherNode = failures.some((error) => String(error).includes('NODE_MODULE_VERSION'));
  const message = isOfAnotherNode
    ? `weatherd was installed under another version of Node.js than this one, ${process.versions.node}: install it again; ` +
      'in a copy of the project npm start does that.'
    : 'No driver of SQLite could be installed: install weatherd again under Node.js 22 or later with npm ci --ignore-scripts, ' +
      'which needs no compiler, or with Python and a C++ compiler at hand. In a copy of the project npm start does that.';
  throw new Error(message, { cause: new AggregateError(failures) });
}
