// Runs before `npm pack`: builds the project, adds the type declarations of its exports and the bill of materials, sets the modes of
// the packed files, and replaces package.json by the published one.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { keepReachedDeclarations } from './declarations.mjs';
import { ensureBuilt, ensureInstalled, ensureNode, run } from './ensure.mjs';
import { publishedManifest, publishManifest } from './manifest.mjs';
import { setModes } from './modes.mjs';
import { sbom } from './sbom.mjs';

const BUNDLES = ['dist/service', 'dist/site'];

const root = fileURLToPath(new URL('..', import.meta.url));

ensureNode();
await ensureInstalled(ensureBuilt);
run(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.types.json']);
keepReachedDeclarations(root);
const bundles = Object.fromEntries(BUNDLES.map((folder) => [folder, read(`${folder}/packages.json`)]));
const bill = sbom(publishedManifest(read('package.json')), read('package-lock.json'), bundles);
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(bill, null, 2)}\n`);
setModes(root);
// The last step, so that a failed build leaves package.json as it is.
publishManifest(root);

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
