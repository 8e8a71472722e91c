import type { Text } from './en.js';

/** Languages of the site by their BCP 47 names, each in its own language. To add one, copy `en.ts` and add it here twice. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

const CATALOGUES: Readonly<Record<Language, () => Promise<Text>>> = {
  en: async () => (await import('./en.js')).en,
  de: async () => (await import('./de.js')).de,
};

/** Loads the texts of a language; a browser loads those of its own language only. */
export function loadText(language: Language): Promise<Text> {
  return CATALOGUES[language]();
}
