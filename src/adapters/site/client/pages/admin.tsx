import { Administration } from '../admin/administration.js';
import type { PageDefinition } from '../page.js';
import { Setup } from '../setup/setup.js';
import { setupText } from '../setup/text.js';

/** The administration page. Its first screen contains no data: the browser reads the data after the sign-in. */
export const admin: PageDefinition<null> = {
  load: () => Promise.resolve(null),
  title: (_data, { text }) => `${text.site.administration} · ${text.site.name}`,
  View: Administration,
};

/**
 * The page on which a visitor of the machine creates the first administrator. It is in one file with the administration, because it
 * uses the same forms, and because the administration is the next page.
 */
export const setup: PageDefinition<null> = {
  load: () => Promise.resolve(null),
  title: (_data, { text, preferences }) => `${setupText(preferences.language).title} · ${text.site.name}`,
  View: Setup,
};
