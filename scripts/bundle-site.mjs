// Bundles the site into dist/site/: `render.js`, with which the service renders the first HTML of a page, and `assets/`, the
// files for browsers.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { minify } from 'terser';
import { apiPage } from './api-page.mjs';
import { fewFiles, usedModules } from './site-modules.mjs';
import { icons } from './icons.mjs';
import { writeLicenses } from './licenses.mjs';
import { shortenMaps } from './source-maps.mjs';

const FOLDER = 'dist/site';
const CLIENT = 'src/adapters/site/client';

/** Files for the pictures of stations, by their names in `card/`. */
const CARD_FILES = {
  'resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
  'regular.ttf': '@expo-google-fonts/open-sans/400Regular/OpenSans_400Regular.ttf',
  'semibold.ttf': '@expo-google-fonts/open-sans/600SemiBold/OpenSans_600SemiBold.ttf',
};

/** Quality of compression of files that no browser loads. The best quality takes 10 s more for 130 kB less. */
const QUICK = 9;

const MEDIA_TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/vnd.microsoft.icon',
  '.json': 'application/json',
};

const COMMON = {
  bundle: true,
  format: 'esm',
  conditions: ['weatherd-source'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  // The texts contain many characters that are longer as escape sequences than in UTF-8.
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
};

// The names of most files depend on their content, so the files of an earlier bundle would remain beside the new ones.
rmSync(FOLDER, { recursive: true, force: true });

const rendering = await build({
  ...COMMON,
  metafile: true,
  entryPoints: [`${CLIENT}/render.tsx`],
  outdir: FOLDER,
  // The service never loads the parts that only browsers need, for example the map, and loads a language with its first visitor.
  splitting: true,
  chunkNames: 'render-[hash]',
  platform: 'node',
  target: 'node20.19',
  // Names are not minified, because they appear in stack traces. Such a trace begins with the line of code, so lines are short.
  minify: false,
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  // V8 keeps the text of a module in memory, with two bytes for each character if a single one is not Latin-1.
  charset: 'ascii',
  sourcemap: 'linked',
  sourcesContent: false,
});

shortenMaps(FOLDER);

const browser = {
  ...COMMON,
  entryPoints: [
    { in: `${CLIENT}/main.tsx`, out: 'main' },
    { in: `${CLIENT}/style/site.css`, out: 'site' },
  ],
  outdir: `${FOLDER}/assets`,
  platform: 'browser',
  // The scripts support the browsers of the last three years.
  target: ['chrome109', 'firefox115', 'safari16.4'],
  splitting: true,
  // A name contains a hash of the content, so that browsers may cache a file without a time limit.
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.png': 'file', '.svg': 'file' },
  publicPath: '/assets',
  metafile: true,
  write: false,
  plugins: [usedModules],
};
const files = await fewFiles(browser, `${CLIENT}/main.tsx`, [
  /pages\/home\.tsx$/,
  /pages\/admin\.tsx$/,
  /\/admin\//,
  /pages\/embed\.tsx$/,
  /pages\/station\.tsx$/,
]);
const { outputFiles, metafile } = await build({ ...browser, plugins: [...browser.plugins, files] });

// The page about the API has a script of its own without shared files: it needs neither the pages of the site nor their texts.
const docs = await build({
  ...browser,
  entryPoints: [
    { in: `${CLIENT}/docs/api-page.ts`, out: 'api-page' },
    { in: `${CLIENT}/style/api.css`, out: 'api' },
  ],
  splitting: false,
});

mkdirSync(`${FOLDER}/assets`, { recursive: true });
const manifest = {};
const outputs = { ...metafile.outputs, ...docs.metafile.outputs };
for (const { path, contents } of [...outputFiles, ...docs.outputFiles]) {
  const entry = Object.entries(outputs).find(([name]) => path.endsWith(`/${name}`))?.[1];
  const name =
    entry?.entryPoint === undefined ? basename(path) : basename(entry.entryPoint).replace(/\.\w+$/, '');
  add(name, basename(path), path.endsWith('.js') ? await minified(contents) : contents);
}
const icon = readFileSync(`${CLIENT}/style/icon.svg`, 'utf8');
addHashed('icon.svg', Buffer.from(icon));
addHashed('weather.svg', readFileSync(`${CLIENT}/style/weather.svg`));
for (const [name, contents] of Object.entries(await icons(icon))) addHashed(name, contents);
const addresses = Object.fromEntries(
  Object.entries(manifest).map(([source, { file }]) => [source, `/assets/${file}`]),
);
mkdirSync(`${FOLDER}/card`, { recursive: true });
for (const [name, path] of Object.entries(CARD_FILES))
  writeFileSync(`${FOLDER}/card/${name}.br`, brotli(readFileSync(`node_modules/${path}`), QUICK));
const api = JSON.parse(readFileSync('docs/openapi-external.json', 'utf8'));
const texts = await import(new URL(`../${FOLDER}/render.js`, import.meta.url));
writeFileSync(`${FOLDER}/api.html`, apiPage(api, addresses, texts));
const cardPaths = Object.values(CARD_FILES).map((path) => `node_modules/${path}`);
const inputs = [
  ...Object.keys(rendering.metafile.inputs),
  ...Object.keys(metafile.inputs),
  ...Object.keys(docs.metafile.inputs),
];
writeLicenses(FOLDER, [...inputs, ...cardPaths]);
writeFileSync(`${FOLDER}/manifest.json`, JSON.stringify(manifest));

/** Minifies a script once more, with its functions first. The compressed result is 3 % smaller than that of esbuild; further passes gain nothing. */
async function minified(contents) {
  const { code } = await minify(new TextDecoder().decode(contents), {
    module: true,
    ecma: 2020,
    compress: { hoist_funs: true },
  });
  return code;
}

function brotli(bytes, quality = constants.BROTLI_MAX_QUALITY) {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** Compresses with several sizes of blocks. No size is the best one for all files. */
function smallestGzip(bytes) {
  const packed = [6, 7, 8, 9].map((memLevel) => gzipSync(bytes, { level: 9, memLevel }));
  return packed.toSorted((a, b) => a.length - b.length)[0];
}

/** Adds the hash of a file to its name, and writes the file. */
function addHashed(name, contents) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  add(name, name.replace(/(\.\w+)$/, `-${hash}$1`), contents);
}

/** Writes a file and adds it to the manifest. Also writes each compressed variant that is smaller than the file. */
function add(name, file, contents) {
  const bytes = Buffer.from(contents);
  const packed = {
    br: brotli(bytes),
    gzip: smallestGzip(bytes),
  };
  const codings = ['identity'];
  writeFileSync(`${FOLDER}/assets/${file}`, bytes);
  for (const [coding, suffix] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ]) {
    if (packed[coding].length >= bytes.length) continue;
    writeFileSync(`${FOLDER}/assets/${file}${suffix}`, packed[coding]);
    codings.push(coding);
  }
  manifest[name] = {
    file,
    mediaType: MEDIA_TYPES[extname(file)] ?? 'application/octet-stream',
    hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 16),
    codings,
  };
}
