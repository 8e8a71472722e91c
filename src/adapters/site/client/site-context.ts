import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiClient } from './api.js';
import { formatNumber } from './format/numbers.js';
import { type DisplayUnit, displayUnit } from './format/units.js';
import type { QueryListener } from './navigation.js';
import type { Preferences } from './preferences.js';
import type { Text } from './text/en.js';

/** Context of all components of a page. */
export interface Site {
  readonly text: Text;
  readonly preferences: Preferences;
  readonly api: ApiClient;
  /** URLs of built files by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether weather data may be read without a token. */
  readonly publicReads: boolean;
  /** Whether users may sign in over this connection. */
  readonly signIn: boolean;
  /** Whether the visitor can create the first administrator. */
  readonly setup: boolean;
  /** Whether the service has a map of streets. */
  readonly streetMap: boolean;
  /** The beginning of the command lines that the home page shows if there are no stations, such as `weatherd`. */
  readonly command: string;
  /**
   * The time of the first screen, in ms since 1970. The browser uses this time of the service for hydration, because browser and
   * service must render the same HTML.
   */
  readonly now: number;
  /** Whether `now` stands still, because the page shows an old station at the time of its last value. */
  readonly isStill?: boolean;
  /** Opens a URL of the site without a new document. */
  readonly go: (href: string) => void;
  /** Changes the URL of the current page without a new entry in the history of the browser. */
  readonly replace: (href: string) => void;
  /** Changes the URL of the current page with a new entry in the history of the browser. Does not load the page. */
  readonly push: (href: string) => void;
  /** Adds a listener for queries of the current page. @returns a function that removes the listener */
  readonly onQuery: (listener: QueryListener) => () => void;
  /** Stores the preferences and shows the current page with them. */
  readonly choose: (preferences: Preferences) => void;
  /** Loads the data of the current page again. */
  readonly reload: () => Promise<void>;
}

const SiteContext = createContext<Site | undefined>(undefined);

export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('useSite() was called outside of SiteProvider.');
  return site;
}

/** Returns a function that writes numbers in the language of the visitor. */
export function useNumbers(): (value: number, decimals: number) => string {
  const { preferences } = useSite();
  return (value, decimals) => formatNumber(value, decimals, preferences.language);
}

/** The unit in which the visitor sees a variable. @param metric unit of the variable in the API */
export function useUnit(variable: string, metric: string): DisplayUnit {
  return displayUnit(variable, metric, useSite().preferences.units);
}
