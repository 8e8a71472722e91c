import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts about links to the site: previews, the dialog for sharing, and the page for unknown addresses. */
export const share: Translation<Text['share']> = {
  trend: { rising: 'Stijgend.', falling: 'Dalend.', steady: 'Gelijk.' },
  site: 'Weerstations: nieuwste waarden, grafieken, klimaat en downloads.',
  description: (name) => `Het weer bij ${name}: nieuwste waarden, grafieken, klimaat en downloads.`,
  recorded: (year) => `Gemeten in ${year}.`,
  measured: (value, moment) => `${value} op ${moment}.`,
  title: 'Delen',
  notFound: {
    didYouMean: 'Bedoelde u:',
    search: 'Stations zoeken',
    find: 'Zoeken',
    hidden: 'Sommige stations zijn alleen zichtbaar voor aangemelde gebruikers.',
  },
};
