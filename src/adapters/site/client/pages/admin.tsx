import { Administration } from '../admin/administration.js';
import type { PageDefinition } from '../page.js';

/** Administration. The first screen has no data: they are read after sign-in, in the browser. */
export const admin: PageDefinition<null> = {
  load: () => Promise.resolve(null),
  title: (_data, text) => `${text.site.administration} · ${text.site.name}`,
  View: Administration,
};
