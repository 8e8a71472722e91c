import { de } from './de.js';
import { type AlarmWords, en } from './en.js';
import { nl } from './nl.js';

/** The texts of messages by language tag. */
export const WORDS = { en, de, nl } as const satisfies Readonly<Record<string, AlarmWords>>;

export type Language = keyof typeof WORDS;
export const LANGUAGES = Object.keys(WORDS) as readonly Language[];

export type { AlarmWords };

/** The name of a variable for people. */
export function nameOf({ variables }: AlarmWords, variable: string): string {
  const names: Readonly<Record<string, string>> = variables;
  return names[variable] ?? variable;
}
