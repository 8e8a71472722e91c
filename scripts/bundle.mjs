// Bundles the service into dist/service/ after its types have been checked. The bundle loads in half the time and with less memory
// than the files of dist/src/ and the packages that they import.
import { build } from 'esbuild';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GEOGRAPHY_INPUTS, GEONAMES_NOTICE, writeGeography } from './geography.mjs';
import { writeLicenses } from './licenses.mjs';
import { BESIDE, INSTALLED, UNUSED } from './manifest.mjs';
import { shortenMaps } from './source-maps.mjs';
import { fewStartFiles } from './start-files.mjs';

const FOLDER = 'dist/service';

/**
 * Modules that packages load but the service never uses. The core reads bodies and queries, and sends files, so the service needs
 * neither the body parsers of Express nor their tables of thirty character sets, nor its parser of queries, its sender of files and its
 * table of media types. It needs neither HTTP/2 nor the simulated requests of Fastify, and no messages of zod in other languages than English.
 */
const UNUSED_MODULES =
  /node_modules\/(?:(?:body-parser|light-my-request|mime-db|send|serve-static|zod\/v4\/locales)\/index|qs\/lib\/index)\.js$|unused-http2$/;

/** Options of all bundles. */
const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  // `#domain/…` and the other package imports resolve to source files, not to compiled files.
  conditions: ['weatherd-source'],
  target: 'node20.19',
  external: [...INSTALLED, ...BESIDE, ...UNUSED],
  plugins: [
    {
      name: 'unused',
      setup({ onResolve, onLoad }) {
        // Loading HTTP/2 takes Node.js a fortieth of a start.
        onResolve({ filter: /^node:http2$/ }, () => ({ path: resolve('unused-http2') }));
        onLoad({ filter: UNUSED_MODULES }, () => ({ contents: 'export {};' }));
      },
    },
  ],
  // Names are not minified, because they appear in stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  // After an uncaught error, Node.js prints the line of code that threw the error. A minified line can be very long, so the
  // length of lines is limited.
  lineLimit: 160,
  sourcemap: 'linked',
  sourcesContent: false,
  // The bundle contains no license comments, because LICENSES.txt contains the licenses.
  legalComments: 'none',
  // Bundled CommonJS packages call `require` for modules of Node.js, but ES modules have no `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  logLevel: 'warning',
};

// The names of most files depend on their content, so the files of an earlier bundle would remain beside the new ones.
for (const name of existsSync(FOLDER) ? readdirSync(FOLDER) : []) {
  if (/\.js(?:\.map)?$/.test(name)) rmSync(join(FOLDER, name));
}

const { metafile } = await build({
  ...OPTIONS,
  plugins: [...OPTIONS.plugins, fewStartFiles],
  entryPoints: [
    'src/composition/main.ts',
    // The service starts a thread by the name of its module, so each of these modules needs its own file.
    'src/**/*worker.ts',
    // The exports of package.json are bundled with the service, so that exports and service share the same classes.
    'src/adapters/http/core/transport.ts',
    'src/adapters/source-kinds/source.ts',
    'src/adapters/target-kinds/target.ts',
    'src/adapters/formats/import-formats/import-format.ts',
    'transport-suite/src/testing.ts',
  ],
  // All files are in one folder, so that a module finds the module of its thread beside it, as in dist/src/.
  entryNames: '[name]',
  outdir: FOLDER,
  splitting: true,
  metafile: true,
});
writeGeography(FOLDER);
shortenMaps(FOLDER);
writeLicenses(
  FOLDER,
  [...Object.keys(metafile.inputs), ...GEOGRAPHY_INPUTS],
  `\n${'-'.repeat(80)}\n\n${GEONAMES_NOTICE}\n`,
);

// Tests start thousands of threads from dist/src/. A thread starts in half the time if its module is bundled into one file,
// which replaces the file of the compiler.
await build({
  ...OPTIONS,
  entryPoints: ['src/**/*worker.ts'],
  outbase: 'src',
  outdir: 'dist/src',
});
