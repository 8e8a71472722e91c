import type { ForeignFiles } from '#adapters/imports/import-context.js';

/** Loads the module that reads the SQLite files of other programs. It is needed only to import observations from such a file. */
const load = () => import('#adapters/store-sqlite/database/foreign-file.js');

export const foreignFiles: ForeignFiles = {
  tables: async (path) => (await load()).foreignTables(path),
  rows: async function* (path, query) {
    yield* (await load()).foreignRows(path, query);
  },
};
