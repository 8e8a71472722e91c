import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { WithContext } from './command-context.js';
import { importFiles } from './import/import-files.js';
import { NO_OPTIONS } from './import/plan/import-options.js';
import type { Terminal } from './terminal.js';

/**
 * Path of the data file in the package, relative to package.json. Another file in the same folder names the source of the data.
 */
const DATA = 'demo/nyc-hourly-2013.csv.gz';

/** Adds the command `weatherd demo`. */
export function addDemoCommand(
  program: Command,
  terminal: Terminal,
  withContext: WithContext,
  externalUrl: () => string,
): void {
  program
    .command('demo')
    .description('load a year of hourly weather of New York, and show requests to try')
    .action(() =>
      withContext(async (context) => {
        const options = { ...NO_OPTIONS, preset: 'nycflights13', yes: true };
        const file = fileURLToPath(new URL(DATA, import.meta.resolve('weatherd/package.json')));
        await importFiles([file], options, context, terminal, false);
        terminal.print(requests(externalUrl()));
      }),
    );
}

// Example requests. NOAA uses standard time also in summer, so that its days in New York begin at midnight of the offset -05:00.
// With `timezone=-05:00` the rain of each day of July is therefore equal to the amount that NOAA publishes.
function requests(url: string): string {
  const station = `${url}/v1/stations/JFK`;
  return `
With the service running (npm start), open ${url}/ in a browser, or try:
  the stations of New York        curl '${url}/v1/stations?near=40.78,-73.97&radius=50'
  a map of the newest values      curl '${url}/v1/observations/latest?bbox=-75,40,-73,41'
  a day, in °F, as CSV            curl '${station}/observations?from=2013-07-18T04:00:00Z&to=2013-07-19T04:00:00Z&units=imperial&format=csv'
  a year of daily summaries       curl '${station}/summaries?interval=day&from=2013-01-01T05:00:00Z&to=2013-12-31T05:00:00Z'
  July's rain, in NOAA's days     curl '${station}/summaries?interval=day&from=2013-07-01&to=2013-08-01&timezone=-05:00&variables=precipitation_amount&units=imperial'
  a climate table, by month       curl '${station}/climate/months?format=csv'
  records of each month           curl '${station}/climate/records?format=csv&units=imperial'
  climate indices                 curl '${station}/climate/indices'
  degree days                     curl '${station}/climate/degree-days?units=imperial'
  NOAA's report of July           curl '${station}/reports/noaa/2013-07.txt'
  heat index of a hot afternoon   curl '${station}/derived?variables=heat_index,humidex&from=2013-07-18T16:00:00Z&to=2013-07-18T22:00:00Z'
  results of quality control      curl '${url}/v1/stations/EWR/observations?variables=wind_speed&from=2013-02-12T06:00:00Z&to=2013-02-12T12:00:00Z'`;
}
