import { useSite } from '../../site-context.js';
import { type SourcesText, sources as english } from '../../text/en/sources.js';
import { CATALOGS_OF_SOURCES } from '../../text/sources-catalogs.js';

/** The texts of the sources. */
export function useSourcesText(): SourcesText {
  const { language } = useSite().preferences;
  return (CATALOGS_OF_SOURCES as Readonly<Record<string, SourcesText>>)[language] ?? english;
}
