import type { Command } from 'commander';
import { CheckData, type CheckedData } from '#application/operation/check-data.js';
import type { DamagedForecast } from '#application/operation/check-forecasts.js';
import type { DamagedData, Difference } from '#application/ports/data-verifier.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { CommandContext, WithContext } from './command-context.js';
import { makeBar } from './progress-bar.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

/** Largest number of stations that a row of the table names. */
const MAX_NAMED = 5;

interface CheckOptions {
  readonly discard?: boolean;
  readonly json?: boolean;
}

/** Adds the command `weatherd check`. */
export function addCheckCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  program
    .command('check')
    .description(
      'verify all observations, forecasts and the results computed from them; exit status 1 if anything is wrong',
    )
    .option(
      '--discard',
      'delete damaged observations and forecasts permanently, and compute results again that differ from the observations',
    )
    .option('--json', 'print JSON')
    .action((options: CheckOptions) =>
      withContext((context) => terminal.interruptibly((signal) => check(context, terminal, options, signal))),
    );
}

async function check(
  { useCase, location }: CommandContext,
  terminal: Terminal,
  { discard = false, json = false }: CheckOptions,
  signal: AbortSignal,
): Promise<void> {
  const bar = await makeBar(0, terminal);
  let result: CheckedData;
  try {
    result = await useCase(CheckData).execute({ discard }, COMMAND_LINE, {
      signal,
      onStart: (rows) => bar.start(rows, 0),
      onRows: (rows) => bar.increment(rows),
    });
  } finally {
    bar.stop();
  }
  const { verified, faults, damage, differences, stations, forecasts } = result;
  const isClean = damage.length === 0 && differences.length === 0;
  if (json) terminal.printJson(toJson(result));
  else if (!isClean) {
    const lines = [...damage.map(damageRow), ...differences.map(differenceRow)];
    terminal.print(formatTable(['STATION', 'FROM', 'TO', 'ROWS', 'REASON'], lines));
    if (discard && damage.length > 0) terminal.print('The listed observations were deleted.');
    if (discard && differences.some(({ isDerived }) => isDerived))
      terminal.print('The results that follow from the rows were computed again.');
  }
  if (!json && stations.length > 0) {
    const rows = stations.map(({ station, column, reason }) => [station, column, reason]);
    terminal.print(formatTable(['STATION', 'COLUMN', 'REASON'], rows));
  }
  if (!json && forecasts.length > 0) terminal.print(forecastTable(forecasts));
  if (faults.length > 0)
    throw new Error(`The data file ${location} is damaged: ${faults.join('; ')}. Restore a backup.`);
  if (isClean) {
    if (!json)
      terminal.print(
        `Verified ${verified} blobs of observations: all blobs are readable, and all sums are correct.`,
      );
  } else if (!discard || differences.some(({ isDerived }) => !isDerived)) throw new Error(adviceFor(result));
  const advice = [...(forecasts.length > 0 && !discard ? [FORECAST_ADVICE] : []), ...result.advice];
  if (advice.length > 0) throw new Error(advice.join('\n'));
}

const FORECAST_ADVICE =
  'Some records of forecasts are damaged. Restore a backup; "weatherd check --discard" removes them, and computes again what was learned ' +
  'and scores whose forecasts and observations are stored.';

/** What the records of forecasts have, as the table names it. */
const RECORDS: Readonly<Record<DamagedForecast['record'], string>> = {
  issued: 'issued forecast',
  learned: 'what was learned',
  scores: 'scores of a month',
  first: 'time of the first forecast',
  order: 'order',
  state: 'state of the order',
  series: 'all records',
};

function forecastTable(forecasts: readonly DamagedForecast[]): string {
  const rows = forecasts.map(({ station, provider, record, time, reason, outcome }) => {
    const line = outcome === null ? reason : `${reason}; ${outcome}`;
    return [station ?? '-', provider ?? '-', RECORDS[record], time ?? '-', line];
  });
  return formatTable(['STATION', 'PROVIDER', 'FORECASTS', 'TIME', 'REASON'], rows);
}

function adviceFor({ damage, differences }: CheckedData): string {
  if (differences.some(({ isDerived }) => !isDerived))
    return 'Some observations differ from the form that weatherd writes, and no command can repair them. Restore a backup.';
  return damage.length > 0
    ? 'Some observations are damaged. Restore a backup, or import the rows again; ' +
        '"weatherd check --discard" deletes observations that cannot be read.'
    : 'The listed results differ from the stored observations. "weatherd check --discard" computes them again, and ' +
        'deletes no observation that can be read.';
}

function damageRow({ stations, first, last, rows, reason }: DamagedData): string[] {
  const named = stations?.slice(0, MAX_NAMED).join(', ') ?? 'unknown';
  const more =
    stations !== null && stations.length > MAX_NAMED ? ` and ${stations.length - MAX_NAMED} more` : '';
  return [`${named}${more}`, dayText(first), dayText(last), String(rows), reason];
}

function differenceRow({ station, first, last, reason }: Difference): string[] {
  return [station ?? '-', dayText(first), dayText(last), '-', reason];
}

function dayText(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString().replace(/T.*/, '');
}

function toJson({ advice: _advice, ...result }: CheckedData): object {
  const withTimes = <T extends Difference | DamagedData>(one: T) => ({
    ...one,
    first: timeText(one.first),
    last: timeText(one.last),
  });
  const { damage, differences } = result;
  return { ...result, damage: damage.map(withTimes), differences: differences.map(withTimes) };
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
