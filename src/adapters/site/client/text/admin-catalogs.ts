// scripts/languages.mjs writes this file.
import { admin as de } from './de/admin.js';
import { admin as en } from './en/admin.js';
import { admin as nl } from './nl/admin.js';

/** The texts of the administration, by language tag (BCP 47). */
export const CATALOGS_OF_ADMIN = { de, en, nl };
