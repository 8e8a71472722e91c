/** The English texts about links to the site: previews, the dialog for sharing, and the page for unknown addresses. */
export const share = {
  trend: { rising: 'Rising.', falling: 'Falling.', steady: 'Steady.' },
  /** Description of the site. */
  site: 'Weather stations: newest values, charts, climate and downloads.',
  /** Description of a station without values. */
  description: (name: string) => `Weather at ${name}: newest values, charts, climate and downloads.`,
  measured: (value: string, moment: string) => `${value} on ${moment}.`,
  recorded: (year: number) => `Recorded in ${year}.`,
  title: 'Share',
  notFound: {
    didYouMean: 'Did you mean:',
    search: 'Search the stations',
    find: 'Search',
    hidden: 'Some stations are visible to signed-in users only.',
  },
};
