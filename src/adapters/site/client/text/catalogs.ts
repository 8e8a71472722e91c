// scripts/languages.mjs writes this file.
/** Loads the texts of each language. The names of the properties are language tags (BCP 47). */
export const CATALOGS = {
  de: async () => (await import('./de.js')).de,
  en: async () => (await import('./en.js')).en,
  nl: async () => (await import('./nl.js')).nl,
};
