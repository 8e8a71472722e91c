// scripts/languages.mjs writes this file.
import { sources as de } from './de/sources.js';
import { sources as en } from './en/sources.js';
import { sources as nl } from './nl/sources.js';

/** The texts of the sources in the administration, by language tag (BCP 47). */
export const CATALOGS_OF_SOURCES = { de, en, nl };
