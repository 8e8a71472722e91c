// Bundles the service into dist/service/ when its types have been checked: a few files load in half the time and with less
// memory than those of dist/src/ and of the packages that they import.
import { build } from 'esbuild';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licences } from './licences.mjs';

const FOLDER = 'dist/service';

/** Loaded from node_modules: they have native parts, start threads by the path of their files, or belong to the caller. */
const EXTERNAL = [
  '@node-rs/argon2',
  'better-sqlite3',
  'better-sqlite3-13',
  'piscina',
  'pg-native',
  'chai',
  // Fastify asks for them only where nobody compiles schemas for it; src/adapters/http/fastify does.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/**
 * Modules that packages load and that we never use: Express's body parsers with the tables of thirty character sets (the
 * core reads bodies), and zod's messages in other languages than English.
 */
const UNUSED = /node_modules\/(?:body-parser\/index|zod\/v4\/locales\/index)\.js$/;

/** What all bundles have in common. */
const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  // `#domain/…` and its like are sources here, not what the compiler has made of them.
  conditions: ['weatherd-source'],
  target: 'node20.19',
  external: EXTERNAL,
  plugins: [
    {
      name: 'unused',
      setup: (bundle) => bundle.onLoad({ filter: UNUSED }, () => ({ contents: 'export {};' })),
    },
  ],
  // Names stay: they are in stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // Node.js prints the line of an uncaught error.
  lineLimit: 160,
  sourcemap: 'linked',
  sourcesContent: false,
  // The licences are in a file of their own.
  legalComments: 'none',
  // Packages in CommonJS call it for Node's own modules.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  logLevel: 'warning',
};

const { metafile } = await build({
  ...OPTIONS,
  entryPoints: [
    'src/composition/main.ts',
    // Threads are started by the name of their module.
    'src/**/*worker.ts',
    // What package.json exports. In one bundle with the service its classes are the same.
    'src/adapters/http/core/transport.ts',
    'transport-suite/src/testing.ts',
  ],
  // Side by side, so that a module finds the module of its thread beside it, as in dist/src/.
  entryNames: '[name]',
  outdir: FOLDER,
  splitting: true,
  metafile: true,
});
writeFileSync(join(FOLDER, 'LICENSES.txt'), licences(Object.keys(metafile.inputs)));

// Tests start thousands of threads from dist/src/, which takes half the time if the module of a thread is one file.
await build({
  ...OPTIONS,
  entryPoints: ['dist/src/**/*worker.js'],
  outbase: 'dist/src',
  outdir: 'dist/src',
  allowOverwrite: true,
});
