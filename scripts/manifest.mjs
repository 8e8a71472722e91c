// The package.json of the published package. It names only the packages that are not bundled, so that an installation is small and
// needs no compiler. `npm pack` reads package.json of this folder, so prepack.mjs replaces the file and postpack.mjs puts it back.
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages that are not bundled because they contain native code or start threads by the path of their files. They are installed
 * with weatherd.
 */
export const INSTALLED = ['@node-rs/argon2', 'better-sqlite3-13', 'piscina'];

/**
 * Packages that are not bundled because only some projects need them. These projects install them beside weatherd: the driver of
 * SQLite for Node.js before 22, which brings 38 packages, and chai and mocha for the suites of `weatherd/testing`.
 */
export const BESIDE = ['better-sqlite3', 'chai', 'mocha'];

/** Packages that bundled packages try to load, but that weatherd works without. They are neither bundled nor installed. */
export const UNUSED = [
  'bufferutil',
  'pg-native',
  'utf-8-validate',
  // Fastify loads these two packages only if nobody sets schema compilers, but src/adapters/http/fastify sets schema compilers.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

/** Fields of package.json that only a copy of the project needs. */
const PROJECT_FIELDS = new Set(['devDependencies', 'overrides', 'allowScripts']);

/** The package.json of the project while `npm pack` runs. */
const KEPT = '.package.json.kept';

/**
 * The scripts of the published package.json. With them the next `npm pack` of a project whose `npm pack` was interrupted works, and
 * puts the file of the project back. All others would fail in an installed package, which contains no files of `scripts/`.
 */
const PACK_SCRIPTS = new Set(['prepack', 'postpack']);

/**
 * The content of package.json in the published package.
 *
 * @param project content of package.json of the project
 */
export function publishedManifest(project) {
  const { dependencies, optionalDependencies, peerDependencies, scripts, ...fields } = project;
  const isInstalled = (name) => INSTALLED.includes(name);
  const installedToo = pick({ ...dependencies, ...optionalDependencies }, (name) => BESIDE.includes(name));
  // Projects choose the version that they install beside; each minor version works.
  const beside = { ...mapValues(installedToo, (version) => `^${version}`), ...peerDependencies };
  return {
    ...pick(fields, (name) => !PROJECT_FIELDS.has(name)),
    scripts: pick(scripts, (name) => PACK_SCRIPTS.has(name)),
    dependencies: pick(dependencies, isInstalled),
    optionalDependencies: pick(optionalDependencies, isInstalled),
    peerDependencies: beside,
    peerDependenciesMeta: mapValues(beside, () => ({ optional: true })),
  };
}

/** Replaces package.json by the published one. @param root folder of the project */
export function publishManifest(root) {
  restoreManifest(root);
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  // Each file is written under another name first, so that a process that is killed leaves whole files.
  replace(join(root, KEPT), text);
  replace(join(root, 'package.json'), `${JSON.stringify(publishedManifest(JSON.parse(text)), null, 2)}\n`);
}

/** Puts the package.json of the project back if `publishManifest` replaced it. @param root folder of the project */
export function restoreManifest(root) {
  if (existsSync(join(root, KEPT))) renameSync(join(root, KEPT), join(root, 'package.json'));
}

function pick(values = {}, isPicked) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isPicked(name)));
}

function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function replace(file, text) {
  writeFileSync(`${file}.new`, text);
  // The mode of a packed file may not depend on the umask, as in modes.mjs.
  chmodSync(`${file}.new`, 0o644);
  renameSync(`${file}.new`, file);
}
