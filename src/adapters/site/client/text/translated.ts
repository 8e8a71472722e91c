import type { Text } from './en.js';

/** Texts of a translation. Texts that are not translated are absent. */
export type Translation<T> = T extends string | ((...parameters: never[]) => unknown) | readonly unknown[]
  ? T
  : { readonly [K in keyof T]?: Translation<T[K]> };

/** The texts of a language that may lack some texts. English texts take their place. */
export interface Incomplete {
  readonly incomplete: Translation<Text>;
}

/** Marks the texts of a language as incomplete. A browser then loads the English texts too. */
export function incomplete(translation: Translation<Text>): Incomplete {
  return { incomplete: translation };
}

/** Completes a translation with the English texts that are not translated yet. */
export function translated<T extends object>(english: T, translation: Translation<T>): T {
  const texts = Object.entries(translation).map(([key, text]) => {
    const original = english[key as keyof T];
    const isGroup = typeof text === 'object' && text !== null && !Array.isArray(text);
    return [key, isGroup ? translated(original ?? {}, text) : text];
  });
  return { ...english, ...Object.fromEntries(texts) };
}

/** The paths of the English texts that a translation lacks, such as `age.now`. */
export function missingTexts(english: object, translation: object, path = ''): string[] {
  return Object.entries(english).flatMap(([key, text]: [string, unknown]) => {
    const own: unknown = translation[key as keyof typeof translation];
    if (own === undefined) return [`${path}${key}`];
    const isGroup = typeof text === 'object' && text !== null && !Array.isArray(text);
    return isGroup ? missingTexts(text, own as object, `${path}${key}.`) : [];
  });
}
