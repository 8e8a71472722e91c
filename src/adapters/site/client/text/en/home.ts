/** Texts of the list and the map of stations. */
export const home = {
  title: 'Weather stations',
  filter: 'Filter stations',
  list: 'List of stations',
  columns: { station: 'Station', temperature: 'Temperature', rain: 'Rain today', wind: 'Wind', age: 'Age' },
  more: 'More stations',
  moreRows: (n: number) => `Show more (${n} left)`,
  found: (n: number) => (n === 1 ? '1 station' : `${n} stations`),
  noneFound: 'No station has this name.',
  windFrom: (sector: string) => `from ${sector}`,
  gust: (speed: string) => `gust ${speed}`,
  legend: (unit: string) => `Colors of temperatures in ${unit}`,
  shortcuts: {
    open: 'Keyboard',
    title: 'Keys of this page',
    keys: [
      ['/', 'filter the stations'],
      ['?', 'show these keys'],
      ['Tab', 'next link, button or station on the map'],
      ['Enter', 'open a station, or choose it on the map'],
      ['← ↑ → ↓', 'move the map while it has the focus'],
      ['+ −', 'zoom the map while it has the focus'],
      ['Esc', 'close this window'],
    ] as readonly (readonly [key: string, meaning: string])[],
    on: 'React to the keys / and ?',
    close: 'Close',
  },
  empty: {
    title: 'No weather yet',
    lead: 'This service runs, but has no station that everybody may see. There are three ways to begin; type the command in a terminal on the machine of the service.',
    demo: {
      title: 'Look at the demo',
      text: 'Real data of 2013: a year of three airports of New York.',
    },
    import: {
      title: 'Import a file',
      text: 'What your console or your weather program has recorded. The service recognizes the exports of many makes.',
    },
    connect: {
      title: 'Connect a console',
      text: 'The second command prints what to type into consoles and programs that upload to Weather Underground, Ecowitt and others. The service must run with WEATHERD_UPLOADS_ENABLED=true; for consoles, which know no TLS, also with WEATHERD_UPLOADS_HOST=0.0.0.0 and WEATHERD_UPLOADS_INSECURE=true.',
    },
    administrator: 'The first administrator is made on the command line too:',
    waiting: 'Waiting for the first value … This page changes by itself.',
  },
};

/** Texts of the map. */
export const map = {
  title: 'Map of stations',
  show: 'Show the map',
  hide: 'Hide the map',
  attribution: 'Coastline: Natural Earth',
  cluster: 'stations, zoom in',
  buttons: 'Move the map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  west: 'Move west',
  east: 'Move east',
  north: 'Move north',
  south: 'Move south',
  all: 'All stations',
  choose: 'Choose a station on the map or in the list.',
};

/** Alarms that are raised for a station. */
export const alarms = {
  title: 'Alarms',
  alarm: (name: string) => `Alarm: ${name}`,
  silent: (intervals: number) => `The station has missed more than ${intervals} reports.`,
  failed: (quantity: string) => `${quantity}: rejected by quality control`,
  anyFailed: 'A value was rejected by quality control.',
  above: (quantity: string, limit: string) => `${quantity} above ${limit}`,
  below: (quantity: string, limit: string) => `${quantity} below ${limit}`,
  since: (time: string) => `since ${time}`,
};

/** How new values come. */
export const live = {
  none: '',
  live: 'live',
  polling: 'updated every minute',
  offline: (time: string) => `offline since ${time}`,
};
