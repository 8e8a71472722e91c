import { useSite } from '../site-context.js';
import type { Language } from '../text/languages.js';
import { admin as de } from '../text/de/admin.js';
import { type AdminText, admin as en } from '../text/en/admin.js';

const TEXTS: Readonly<Record<Language, AdminText>> = { en, de };

/** The texts of the administration page. Other pages do not load these texts. */
export function useAdminText(): AdminText {
  return TEXTS[useSite().preferences.language];
}
