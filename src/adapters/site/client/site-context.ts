import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiClient } from './api.js';
import { type DisplayUnit, displayUnit } from './format/units.js';
import type { Preferences } from './preferences.js';
import type { Text } from './text/en.js';

/** What every part of a page may use. */
export interface Site {
  readonly text: Text;
  readonly preferences: Preferences;
  readonly api: ApiClient;
  /** Addresses of built files by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly publicReads: boolean;
  readonly signIn: boolean;
  /** The start of a command line for this service. */
  readonly command: string;
  /** The time of the first screen, in ms since 1970, which the browser uses until it has its own: both must write the same HTML. */
  readonly now: number;
  /** Opens an address of the site without a new document. */
  readonly go: (href: string) => void;
  /** Changes the address of the present page, without a step of the back button. */
  readonly replace: (href: string) => void;
  /** Reads the present page again. */
  readonly reload: () => Promise<void>;
}

const SiteContext = createContext<Site | undefined>(undefined);

export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('a part is used outside of SiteProvider');
  return site;
}

/** Number text in the language of the visitor. */
export function useNumbers(): (value: number, decimals: number) => string {
  const { preferences } = useSite();
  return (value, decimals) => formatNumber(value, decimals, preferences.language);
}

const formats = new Map<string, Intl.NumberFormat>();

function formatNumber(value: number, decimals: number, language: string): string {
  const key = `${language} ${decimals}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formats.set(key, format);
  }
  // No minus before a zero that rounding made.
  const text = format.format(value);
  return /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '');
}

/** The unit of a variable in the choice of the visitor. @param metric its unit in the API */
export function useUnit(variable: string, metric: string): DisplayUnit {
  return displayUnit(variable, metric, useSite().preferences.units);
}
