import type { Text } from './en.js';

/** Names of the languages of the site, each in its own language, by BCP 47 tag. A new language needs a copy of `en.ts` and two entries here. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;
export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

const CATALOGS: Readonly<Record<Language, () => Promise<Text>>> = {
  en: async () => (await import('./en.js')).en,
  de: async () => (await import('./de.js')).de,
};

/** Loads the texts of a language. A browser loads only the texts of the language that it shows. */
export function loadText(language: Language): Promise<Text> {
  return CATALOGS[language]();
}
