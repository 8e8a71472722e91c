import { useSite } from '../site-context.js';
import { CATALOGS_OF_ADMIN } from '../text/admin-catalogs.js';
import { type AdminText, admin as english } from '../text/en/admin.js';

/** The texts of the administration page. Other pages do not load these texts. */
export function useAdminText(): AdminText {
  return (
    (CATALOGS_OF_ADMIN as Readonly<Record<string, AdminText>>)[useSite().preferences.language] ?? english
  );
}
