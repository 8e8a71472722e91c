import type { Text } from '../en.js';

/** The German texts about links to the site: previews, the dialog for sharing, and the page for unknown addresses. */
export const share: Text['share'] = {
  trend: { rising: 'Steigend.', falling: 'Fallend.', steady: 'Gleichbleibend.' },
  site: 'Wetterstationen: neueste Werte, Diagramme, Klima und Downloads.',
  description: (name) => `Wetter an der Station ${name}: neueste Werte, Diagramme, Klima und Downloads.`,
  measured: (value, moment) => `${value} am ${moment}.`,
  recorded: (year) => `Aufgezeichnet ${year}.`,
  title: 'Teilen',
  notFound: {
    didYouMean: 'Meinten Sie:',
    search: 'Stationen suchen',
    find: 'Suchen',
    hidden: 'Manche Stationen sehen nur angemeldete Benutzer.',
  },
};
