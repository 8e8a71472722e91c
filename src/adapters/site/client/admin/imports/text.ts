import { useSite } from '../../site-context.js';
import { type ImportsText, imports as english } from '../../text/en/imports.js';
import { CATALOGS_OF_IMPORTS } from '../../text/imports-catalogs.js';

/** The texts of the imports. */
export function useImportsText(): ImportsText {
  const { language } = useSite().preferences;
  return (CATALOGS_OF_IMPORTS as Readonly<Record<string, ImportsText>>)[language] ?? english;
}
