/** The English texts of the list of stations. */
export const home = {
  title: 'Weather stations',
  filter: 'Find a station or place',
  columns: { station: 'Station', spark: '24 hours', temperature: 'Now', rain: 'Rain', wind: 'Wind' },
  more: 'More stations',
  moreRows: (n: number) => `Show more (${n} left)`,
  found: (n: number) => (n === 1 ? '1 station' : `${n} stations`),
  noneFound: 'No station matches the filter.',
  windFrom: (sector: string) => `from ${sector}`,
  gust: (speed: string) => `gust ${speed}`,
  spark: 'Temperature of the last 24 hours',
  /** @param length a duration such as `10 min` */
  within: (length: string) => `all measured within ${length}`,
  silent: (n: number) => (n === 1 ? '1 silent station' : `${n} silent stations`),
  shortcuts: {
    open: 'Keyboard',
    title: 'Keyboard shortcuts',
    keys: [
      ['/', 'find a station'],
      ['?', 'show these shortcuts'],
      ['Tab', 'go to the next link, button or station on the map'],
      ['Enter', 'open a station; on the map, show it, then open it'],
      ['← ↑ → ↓', 'move the map while it has the focus'],
      ['+ −', 'zoom the map while it has the focus'],
      ['Esc', 'close this window, or the values on the map'],
    ] as readonly (readonly [key: string, meaning: string])[],
    on: 'Use the keys / and ?',
    close: 'Close',
  },
  empty: {
    title: 'No weather yet',
    lead: 'This service is running, but it has no public station.',
    setup: {
      title: 'Create your administrator',
      text: 'Open the address that weatherd printed in its terminal.',
      open: 'Create the administrator',
    },
    browser: {
      title: 'Begin in the browser',
      text: 'Sign in as an administrator, and connect a station or import a file.',
      open: 'Connect a station',
    },
    terminal: 'With commands in a terminal on the machine of the service',
    demo: 'Look at the demo',
    import: 'Import a file',
    connect: 'Connect a console',
    administrator: 'The first administrator:',
    waiting: 'Waiting for the first value … This page updates automatically.',
  },
};

/** The English texts of raised alarms. */
export const alarms = {
  title: 'Alarms',
  alarm: (name: string) => `Alarm: ${name}`,
  silent: (intervals: number) => `The station has missed more than ${intervals} reports`,
  failed: (quantity: string) =>
    quantity ? `${quantity}: rejected by quality control` : 'A value was rejected by quality control',
  notice: (quantity: string) => `Notice: ${quantity}`,
  battery: () => 'The battery of a sensor is low',
  above: (quantity: string, limit: string) => `${quantity} above ${limit}`,
  below: (quantity: string, limit: string) => `${quantity} below ${limit}`,
  forecast: (event: string) => `forecast: ${event}`,
  chance: (percent: string) => `chance ${percent}\u00a0%`,
  since: (time: string) => `since ${time}`,
};

/** The English texts of the state of the connection. */
export const live = {
  none: '',
  live: 'live',
  polling: 'updated every minute',
  offline: 'offline',
  /** @param length a duration such as `7 min` */
  offlineFor: (length: string) => `offline for ${length}`,
};
