// scripts/languages.mjs writes this file.
import { imports as de } from './de/imports.js';
import { imports as en } from './en/imports.js';
import { imports as nl } from './nl/imports.js';

/** The texts of the imports of files in the administration, by language tag (BCP 47). */
export const CATALOGS_OF_IMPORTS = { de, en, nl };
