import { useSite } from '../../site-context.js';
import { notices as english, type NoticesText } from '../../text/en/notices.js';
import { CATALOGS_OF_NOTICES } from '../../text/notices-catalogs.js';

/** The texts of notices. A page loads them with the section. */
export function useNoticesText(): NoticesText {
  return (
    (CATALOGS_OF_NOTICES as Readonly<Record<string, NoticesText>>)[useSite().preferences.language] ?? english
  );
}
