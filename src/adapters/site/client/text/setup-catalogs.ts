// scripts/languages.mjs writes this file.
import { setup as de } from './de/setup.js';
import { setup as en } from './en/setup.js';
import { setup as nl } from './nl/setup.js';

/** The texts of the page on which the first administrator is created, by language tag (BCP 47). */
export const CATALOGS_OF_SETUP = { de, en, nl };
