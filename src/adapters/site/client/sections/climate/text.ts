import { useSite } from '../../site-context.js';
import { CATALOGS_OF_CLIMATE } from '../../text/climate-catalogs.js';
import { type ClimateText, climate as english } from '../../text/en/climate.js';

/** The texts of this section. A page loads them with the section. */
export function useClimateText(): ClimateText {
  return (
    (CATALOGS_OF_CLIMATE as Readonly<Record<string, ClimateText>>)[useSite().preferences.language] ?? english
  );
}
