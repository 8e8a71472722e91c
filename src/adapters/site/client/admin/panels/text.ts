import { useSite } from '../../site-context.js';
import { type PanelsText, panels as english } from '../../text/en/panels.js';
import { CATALOGS_OF_PANELS } from '../../text/panels-catalogs.js';

export function usePanelsText(): PanelsText {
  return (
    (CATALOGS_OF_PANELS as Readonly<Record<string, PanelsText>>)[useSite().preferences.language] ?? english
  );
}
