// scripts/languages.mjs writes this file.
import { panels as de } from './de/panels.js';
import { panels as en } from './en/panels.js';
import { panels as nl } from './nl/panels.js';

/** The texts of the panels of the administration that are loaded later, by language tag (BCP 47). */
export const CATALOGS_OF_PANELS = { de, en, nl };
