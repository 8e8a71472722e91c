import { CATALOGS } from './catalogs.js';
import type { Text } from './en.js';
import { type Incomplete, translated } from './translated.js';

/** The tag of a language (BCP 47). README.md says how to add a language. */
export type Language = keyof typeof CATALOGS;
export const LANGUAGES = Object.keys(CATALOGS) as Language[];

/** The name of a language in the language itself. */
export function languageName(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/**
 * Finds the language for a tag of `Accept-Language`: the same tag (`pt-BR`), or else the tag without its region (`de` for
 * `de-AT`).
 */
export function languageFor(tag: string): Language | undefined {
  const asked = tag.toLowerCase();
  const [primary] = asked.split('-');
  const find = (wanted: string | undefined) => LANGUAGES.find((one) => one.toLowerCase() === wanted);
  return find(asked) ?? find(primary);
}

/** Loads the texts of a language. A browser loads only the texts of the language that it shows, and English ones that it lacks. */
export async function loadText(language: Language): Promise<Text> {
  const text: Text | Incomplete = await CATALOGS[language]();
  return 'incomplete' in text ? translated<Text>(await CATALOGS.en(), text.incomplete) : text;
}
