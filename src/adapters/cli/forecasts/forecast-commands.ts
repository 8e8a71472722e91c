import type { Command } from 'commander';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { FetchForecast } from '#application/forecast/manage/fetch-forecast.js';
import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { TrainForecast } from '#application/forecast/manage/train-forecast.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { parseInstant } from '#domain/time.js';
import type { WithContext } from '../command-context.js';
import { parseTimeOption } from '../stations/time-option.js';
import type { Terminal } from '../terminal.js';
import { readForecastFile } from './forecast-file.js';
import { forecastsAsJson, formatForecasts, formatIssue } from './forecast-table.js';

/** Adds the commands `weatherd forecast add|list|remove|fetch|train|import`. */
export function addForecastCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const forecast = program
    .command('forecast')
    .description('ask a provider for forecasts, and correct them with the observations of the station');

  forecast
    .command('add <station...>')
    .description('order forecasts for stations; nothing is asked of anybody before')
    .requiredOption('--provider <name>', 'open-meteo or met-norway')
    .action((stations: readonly string[], { provider }: { readonly provider: string }) =>
      withContext(async ({ useCase }) => {
        await useCase(AddForecast).execute(stations, provider, COMMAND_LINE);
        terminal.print(
          `Ordered forecasts of ${provider} for ${stations.join(', ')}. A running service asks for them within 10 s; "weatherd forecast list" shows them.`,
        );
      }),
    );

  forecast
    .command('list')
    .description('list the stations with forecasts, their newest forecast and why there is none')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withContext(async ({ useCase }) => {
        const forecasts = await useCase(ListForecasts).execute();
        if (json) terminal.printJson(forecastsAsJson(forecasts));
        else terminal.print(formatForecasts(forecasts));
      }),
    );

  forecast
    .command('remove <station>')
    .description('end the forecasts of a station; issued forecasts and their scores stay')
    .action((station: string) =>
      withContext(async ({ useCase }) => {
        await useCase(RemoveForecast).execute(station, COMMAND_LINE);
        terminal.print(`Ended the forecasts of ${station}.`);
      }),
    );

  forecast
    .command('fetch <station>')
    .description('ask the provider for the newest forecast now, store and print it')
    .action((station: string) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          terminal.print(formatIssue(await useCase(FetchForecast).execute(station, signal)));
        }),
      ),
    );

  forecast
    .command('train <station>')
    .description('ask the provider for its forecasts of the past, and learn from them')
    .requiredOption('--from <date>', 'first day or time of the observations', parseTimeOption)
    .action((station: string, { from }: { readonly from: number | string }) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          const time = typeof from === 'number' ? from : parseInstant(`${from}T00:00:00Z`);
          const { added } = await useCase(TrainForecast).execute(station, time, COMMAND_LINE, signal);
          terminal.print(`Learned from ${added} forecasts that were not known before.`);
        }),
      ),
    );

  forecast
    .command('import <file>')
    .description('learn from a CSV file of past forecasts: issued,time,VARIABLE[:UNIT]…')
    .requiredOption('--station <id>', 'the station that the forecasts are for')
    .option(
      '--provider <name>',
      'the provider of the forecasts; default: that of the station, otherwise open-meteo',
    )
    .action((file: string, { station, provider }: { readonly station: string; readonly provider?: string }) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          const input = { provider, signal };
          const now = Date.now();
          // The whole file is read before the first forecast is stored, so that a fault in a late line changes nothing.
          for await (const _ of readForecastFile(file, now)) signal.throwIfAborted();
          const { added } = await useCase(TrainForecast).import(
            station,
            readForecastFile(file, now),
            COMMAND_LINE,
            input,
          );
          terminal.print(`Learned from ${added} forecasts that were not known before.`);
        }),
      ),
    );
}
