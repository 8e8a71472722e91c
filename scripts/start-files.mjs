// Plugin for the bundle of the service: puts the modules that each start loads into few files.
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

/**
 * Groups of modules. `first` are modules that are loaded together, and `later` are modules that are loaded with `import()` only after
 * the modules of `first`. `first` must not contain a module that some installations cannot load, for example the driver of SQLite.
 */
const GROUPS = {
  'each command that uses data': {
    first: ['composition/container', 'composition/modules/extensions', 'composition/owner/reach-service'],
    later: [
      'adapters/cli/import/import-stations',
      'adapters/demo-file/read-recording',
      'adapters/keys-file/file-key-store',
      'adapters/store-postgres/examine/examine-database',
      'adapters/store-postgres/postgres-stores',
      'adapters/store-sqlite/database/foreign-file',
      'adapters/store-sqlite/database/sqlite-backup',
      'adapters/store-sqlite/database/vacuum',
      'adapters/store-sqlite/files/folder-lock',
      'adapters/store-sqlite/sqlite-stores',
      'application/operation/copy/copy-data',
      'composition/data/compact',
      'composition/data/copy',
      'composition/doctor/doctor',
    ],
  },
  'each start of the service': {
    first: [
      'adapters/site/coast-page',
      'adapters/site/site',
      'adapters/site/street-map-page',
      'composition/serve',
    ],
    later: [
      'adapters/broker-mqtt/broker-client',
      'adapters/formats/arrow/arrow-format',
      'adapters/formats/import-formats/metar-reports',
      'adapters/geography/packed-land',
      'adapters/http/express/express-transport',
      'adapters/http/external/ogc/answers',
      'adapters/http/external/open-meteo/answer',
      'adapters/http/external/open-meteo/flatbuffers',
      'adapters/http/fastify/fastify-transport',
      'adapters/imports/received/received-importer',
      'composition/doctor/service-graph',
      'composition/sources/publishing',
      'composition/sources/uploads',
      'composition/visitor-reader',
      'composition/workers/external-processes',
      'composition/workers/serve-external',
    ],
  },
};

const groupOf = new Map(
  Object.entries(GROUPS).flatMap(([group, { later }]) => later.map((name) => [pathOf(name), group])),
);

/**
 * Makes each module of `later` import the modules of `first`. This costs nothing, because they are loaded already. esbuild puts
 * modules into one file if the same entry points need them, so the modules of `first` and the modules that they import then share few
 * files. Without this plugin, a start loads twice as many files and takes a sixth more processor time.
 */
export const fewStartFiles = {
  name: 'few-start-files',
  setup({ onResolve, onLoad, onEnd }) {
    onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }));
    onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
      contents: importsOf(GROUPS[path.slice('group:'.length)].first.map(pathOf)),
      resolveDir: process.cwd(),
    }));
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const group = groupOf.get(path);
      if (group === undefined) return undefined;
      const contents = importsOf([`group:${group}`]) + (await readFile(path, 'utf8'));
      return { contents, loader: 'ts' };
    });
    onEnd(({ errors, metafile }) => ({
      errors: (errors.length > 0 ? [] : [...groupOf.keys()])
        .filter((path) => !isOnlyLoadedLater(relative('.', path), metafile))
        .map((path) => ({
          text: `${path} is not only loaded with import(), so start-files.mjs must not name it.`,
        })),
    }));
  },
};

/** A module that another module imports statically would load its group, for example in a thread or in a circle. */
function isOnlyLoadedLater(path, { inputs }) {
  const imports = Object.values(inputs).flatMap((input) =>
    input.imports.filter((imported) => imported.path === path),
  );
  return imports.length > 0 && imports.every(({ kind }) => kind === 'dynamic-import');
}

function pathOf(name) {
  return resolve('src', `${name}.ts`);
}

function importsOf(paths) {
  return paths.map((path) => `import ${JSON.stringify(path)};`).join('');
}
