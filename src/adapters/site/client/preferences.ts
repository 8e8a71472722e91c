import { languageFor, LANGUAGES, type Language } from './text/languages.js';
import { UNIT_CHOICES, type UnitChoice } from './format/units.js';

/**
 * The preferences of a visitor. They are stored in a cookie, so that the service can apply the preferences to the first screen.
 */
export interface Preferences {
  readonly language: Language;
  readonly units: UnitChoice;
  readonly theme: Theme;
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = 'weatherd';
/** Lifetime of the cookie in seconds: one year. */
const COOKIE_LIFETIME = 31_536_000;
/** Language tags of English in the regions that use degrees Fahrenheit, inches and miles (CLDR, `unitPreferenceData`). */
const FAHRENHEIT_REGION = /^en-(?:US|LR|BS|BZ|KY|PW)\b/i;
const BRITISH_REGION = /^(?:en|cy)-GB\b/i;
/** The allowed values of each preference. The keys are the names of the preferences in query strings and in the cookie. */
const CHOICES = { lang: LANGUAGES, units: UNIT_CHOICES, theme: THEMES } as const;
type Request = Parameters<typeof readPreferences>[0];

/**
 * The preferences of a request. Query parameters have priority over the cookie, and the cookie over `Accept-Language`.
 *
 * @param request.search the query string without its question mark
 */
export function readPreferences(request: {
  readonly search: string;
  readonly cookie: string | undefined;
  readonly acceptLanguage: string | undefined;
}): Preferences {
  const chosen = { ...parseChoices(cookieValue(request.cookie)), ...parseChoices(request.search) };
  const accepted = (request.acceptLanguage ?? '').split(',').map((item) => item.split(';')[0]?.trim() ?? '');
  return {
    language:
      chosen.lang ??
      accepted.map(languageFor).find((found) => found !== undefined) ??
      DEFAULT_PREFERENCES.language,
    units: chosen.units ?? unitsOfRegion(accepted[0] ?? ''),
    theme: chosen.theme ?? DEFAULT_PREFERENCES.theme,
  };
}

/** The preferences of a visitor about whom nothing is known. */
export const DEFAULT_PREFERENCES: Preferences = { language: 'en', units: 'metric', theme: 'auto' };

function unitsOfRegion(locale: string): UnitChoice {
  if (FAHRENHEIT_REGION.test(locale)) return 'imperial';
  return BRITISH_REGION.test(locale) ? 'uk' : DEFAULT_PREFERENCES.units;
}

interface Choices {
  readonly lang?: Language;
  readonly units?: UnitChoice;
  readonly theme?: Theme;
}

/** Parses `lang=de&units=metric`. Unknown names and values are ignored. */
function parseChoices(text: string): Choices {
  const parameters = [...new URLSearchParams(text)];
  return Object.fromEntries(
    parameters.filter(([name, value]) =>
      (CHOICES as Record<string, readonly string[]>)[name]?.includes(value),
    ),
  );
}

function cookieValue(cookie: string | undefined): string {
  const pairs = cookie?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}

/**
 * Returns the new cookie for a request whose query string contains preferences. The new cookie stores these preferences, and
 * keeps the other preferences from the cookie of the request. Undefined if the query string contains no preferences.
 */
export function cookieOfQuery({ search, cookie }: Pick<Request, 'search' | 'cookie'>): string | undefined {
  const chosen = parseChoices(search);
  if (Object.keys(chosen).length === 0) return undefined;
  return formatCookie({ ...parseChoices(cookieValue(cookie)), ...chosen });
}

function formatCookie(choices: Choices): string {
  const text = new URLSearchParams({ ...choices }).toString();
  return `${COOKIE}=${text}; Path=/; SameSite=Lax; Max-Age=${COOKIE_LIFETIME}`;
}

/** Stores the preferences in the cookie. */
export function storePreferences({ language, units, theme }: Preferences): void {
  document.cookie = formatCookie({ lang: language, units, theme });
}

/** Removes preferences from the query string of a URL, where they would have priority over the cookie. */
export function withoutPreferences(href: string): string {
  const address = new URL(href);
  for (const name of Object.keys(CHOICES)) address.searchParams.delete(name);
  return address.href;
}
