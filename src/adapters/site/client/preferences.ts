import { LANGUAGES, type Language } from './text/languages.js';
import { UNIT_CHOICES, type UnitChoice } from './format/units.js';

/** What a visitor chose. It is kept in a cookie, so that the first screen is right without JavaScript. */
export interface Preferences {
  readonly language: Language;
  readonly units: UnitChoice;
  readonly theme: Theme;
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = 'weatherd';
const COOKIE_LIFETIME = 31_536_000;
/** Regions whose people use degrees Fahrenheit, inches and miles (CLDR, `unitPreferenceData`). */
const FAHRENHEIT_REGION = /^en-(?:US|LR|BS|BZ|KY|PW)\b/i;
const BRITISH_REGION = /^(?:en|cy)-GB\b/i;

/**
 * The preferences of a request: query parameters win over the cookie, and the cookie over the language of the browser.
 *
 * @param search the query without its question mark
 */
export function readPreferences(request: {
  readonly search: string;
  readonly cookie: string | undefined;
  readonly acceptLanguage: string | undefined;
}): Preferences {
  const query = new URLSearchParams(request.search);
  const stored = new URLSearchParams(
    request.cookie
      ?.split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${COOKIE}=`))
      ?.slice(COOKIE.length + 1),
  );
  const chosen = <T extends string>(name: string, known: readonly T[]): T | undefined =>
    [query.get(name), stored.get(name)].find((value): value is T => known.includes(value as T));
  const accepted = (request.acceptLanguage ?? '').split(',').map((item) => item.split(';')[0]?.trim() ?? '');
  return {
    language:
      chosen('lang', LANGUAGES) ??
      accepted
        .map((name) => name.slice(0, 2).toLowerCase())
        .find((name): name is Language => LANGUAGES.includes(name as Language)) ??
      'en',
    units: chosen('units', UNIT_CHOICES) ?? unitsOfRegion(accepted[0] ?? ''),
    theme: chosen('theme', THEMES) ?? 'auto',
  };
}

function unitsOfRegion(locale: string): UnitChoice {
  if (FAHRENHEIT_REGION.test(locale)) return 'imperial';
  return BRITISH_REGION.test(locale) ? 'uk' : 'metric';
}

/** Keeps the preferences for the next page. */
export function storePreferences({ language, units, theme }: Preferences): void {
  const text = new URLSearchParams({ lang: language, units, theme }).toString();
  document.cookie = `${COOKIE}=${text}; Path=/; SameSite=Lax; Max-Age=${COOKIE_LIFETIME}`;
}
