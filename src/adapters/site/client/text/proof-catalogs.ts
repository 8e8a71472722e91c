// scripts/languages.mjs writes this file.
import { proof as de } from './de/proof.js';
import { proof as en } from './en/proof.js';
import { proof as nl } from './nl/proof.js';

/** The texts of the page about the quality of forecasts, by language tag (BCP 47). */
export const CATALOGS_OF_PROOF = { de, en, nl };
