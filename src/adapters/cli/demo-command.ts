import type { Command } from 'commander';
import { ContinueDemo } from '#application/demo/continue-demo.js';
import { DemoStations } from '#application/demo/demo-stations.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { TrainForecast } from '#application/forecast/manage/train-forecast.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { type DemoKind, RECORDED_YEAR } from '#domain/weather/stations/demo.js';
import type { CommandContext, WithContext } from './command-context.js';
import { removesDemo } from './hints.js';
import { importFiles } from './import/import-files.js';
import { NO_OPTIONS } from '#adapters/imports/plan/import-options.js';
import type { Terminal } from './terminal.js';

/** Milliseconds of simulated forecasts of the past from which the demo learns. */
const TRAINING = 30 * MILLISECONDS.day;

interface DemoOptions {
  readonly live?: boolean;
  readonly remove?: boolean;
}

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
    .option(
      '--live',
      `show the weather of ${RECORDED_YEAR} as if it were measured now; a running service continues it`,
    )
    .option('--remove', 'remove the stations of the demo and their observations permanently')
    .action(({ live = false, remove = false }: DemoOptions, command: Command) => {
      if (live && remove) command.error('error: give --live or --remove, not both');
      return withContext(async (context) => {
        if (remove) return await removeDemo(context, terminal);
        if (live) return await makeLiveDemo(context, terminal, externalUrl());
        await makeStations('measured', context, terminal);
        const options = { ...NO_OPTIONS, preset: 'nycflights13', yes: true };
        await importFiles([context.useCase(DemoStations).file], options, context, terminal, false);
        terminal.print(requests(context, externalUrl()));
      });
    });
}

async function makeStations(
  kind: DemoKind,
  { useCase, location }: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const made = await useCase(DemoStations).make(kind, COMMAND_LINE);
  if (made.length > 0) terminal.print(`Created ${made.length} stations in ${location}: ${made.join(', ')}.`);
}

async function makeLiveDemo(context: CommandContext, terminal: Terminal, url: string): Promise<void> {
  await makeStations('live', context, terminal);
  const rows = await context.useCase(ContinueDemo).execute();
  const forecasts = await orderForecasts(context);
  terminal.print(`${rows} rows inserted, up to now. ${forecasts}

The weather was recorded in ${RECORDED_YEAR} and is shown as if it were measured now. A running service
(${context.command} serve) adds the next row of each station every hour. Open ${url}/ in a browser. ${removesDemo(context.command)}`);
}

/** Lets the stations of the live demo learn from simulated forecasts of the past, and orders simulated forecasts for them. */
async function orderForecasts({ useCase }: CommandContext): Promise<string> {
  const ids = await useCase(DemoStations).liveIds();
  const ordered = await useCase(ListForecasts).execute();
  const missing = ids.filter((id) => !ordered.some(({ station }) => station === id));
  if (missing.length === 0) return 'Simulated forecasts are corrected with them.';
  const { signal } = new AbortController();
  const from = Date.now() - TRAINING;
  for (const id of missing)
    // oxlint-disable-next-line no-await-in-loop -- one station after the other
    await useCase(TrainForecast).execute(id, from, COMMAND_LINE, signal, 'simulated');
  // A running service asks at once after an order. Before the training, its forecasts would be those of the model alone.
  await useCase(AddForecast).execute(missing, 'simulated', COMMAND_LINE);
  return `Simulated forecasts of ${missing.length} stations were corrected with them.`;
}

async function removeDemo({ useCase }: CommandContext, terminal: Terminal): Promise<void> {
  const removed = await useCase(DemoStations).remove(COMMAND_LINE);
  const ids = removed.map(({ id }) => id).join(', ');
  terminal.print(
    removed.length === 0
      ? 'There are no stations of the demo.'
      : `Removed ${removed.length} stations of the demo permanently: ${ids}.`,
  );
}

// Example requests. NOAA uses standard time also in summer, so that its days in New York begin at midnight of the offset -05:00.
// With `timezone=-05:00` the rain of each day of July is therefore equal to the amount that NOAA publishes.
function requests({ command }: CommandContext, url: string): string {
  const station = `${url}/v1/stations/JFK`;
  return `
With the service running (${command} serve), open ${url}/ in a browser, or try:
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
  results of quality control      curl '${url}/v1/stations/EWR/observations?variables=wind_speed&from=2013-02-12T06:00:00Z&to=2013-02-12T12:00:00Z'

"${command} demo --live" makes stations with the same weather, moved to today. ${removesDemo(command)}`;
}
