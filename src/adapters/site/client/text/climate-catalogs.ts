// scripts/languages.mjs writes this file.
import { climate as de } from './de/climate.js';
import { climate as en } from './en/climate.js';
import { climate as nl } from './nl/climate.js';

/** The texts of the climate of a station, by language tag (BCP 47). */
export const CATALOGS_OF_CLIMATE = { de, en, nl };
