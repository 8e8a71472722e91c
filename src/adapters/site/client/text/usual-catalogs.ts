// scripts/languages.mjs writes this file.
import { usual as de } from './de/usual.js';
import { usual as en } from './en/usual.js';
import { usual as nl } from './nl/usual.js';

/** The texts of the section that compares a station with its own record, by language tag (BCP 47). */
export const CATALOGS_OF_USUAL = { de, en, nl };
