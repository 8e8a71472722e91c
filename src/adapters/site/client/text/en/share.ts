/** The English texts about links to the site: previews, the menu for sharing, and the page for unknown addresses. */
export const share = {
  trend: { up: 'Rising.', down: 'Falling.', level: 'Steady.' },
  rain: (amount: string) => `Rain today: ${amount}.`,
  /** Description of a station without values. */
  description: (name: string) => `Weather at ${name}: newest values, charts, climate and downloads.`,
  measured: (value: string, moment: string) => `${value} on ${moment}.`,
};
