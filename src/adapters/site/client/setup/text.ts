import { useSite } from '../site-context.js';
import { type SetupText, setup as english } from '../text/en/setup.js';
import { CATALOGS_OF_SETUP } from '../text/setup-catalogs.js';

/** The texts of the page `/setup`. Other pages do not load these texts. @param language language tag (BCP 47) */
export function setupText(language: string): SetupText {
  return (CATALOGS_OF_SETUP as Readonly<Record<string, SetupText>>)[language] ?? english;
}

export function useSetupText(): SetupText {
  return setupText(useSite().preferences.language);
}
