// Runs after `npm pack`: puts the package.json of the project back, which prepack.mjs has replaced.
import { fileURLToPath } from 'node:url';
import { restoreManifest } from './manifest.mjs';

restoreManifest(fileURLToPath(new URL('..', import.meta.url)));
