// scripts/languages.mjs writes this file.
import { notices as de } from './de/notices.js';
import { notices as en } from './en/notices.js';
import { notices as nl } from './nl/notices.js';

/** The texts of the notices of quality control, by language tag (BCP 47). */
export const CATALOGS_OF_NOTICES = { de, en, nl };
