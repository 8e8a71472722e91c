import { Administration } from '../admin/administration.js';
import type { PageDefinition } from '../page.js';

/** The administration page. Its first screen contains no data: the browser reads the data after the sign-in. */
export const admin: PageDefinition<null> = {
  load: () => Promise.resolve(null),
  title: (_data, { text }) => `${text.site.administration} · ${text.site.name}`,
  View: Administration,
};
