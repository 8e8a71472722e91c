import { useSite } from '../../site-context.js';
import { usual as english, type UsualText } from '../../text/en/usual.js';
import { CATALOGS_OF_USUAL } from '../../text/usual-catalogs.js';

/** The texts of this section. A page loads them with the section. */
export function useUsualText(): UsualText {
  return (
    (CATALOGS_OF_USUAL as Readonly<Record<string, UsualText>>)[useSite().preferences.language] ?? english
  );
}
