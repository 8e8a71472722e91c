import { type Command, InvalidArgumentError } from 'commander';
import { CountValues } from '#application/observations/removal/count-values.js';
import { ExpireRows } from '#application/operation/expire-rows.js';
import { FindOldRows } from '#application/operation/find-old-rows.js';
import { SetRetention } from '#application/operation/set-retention.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS, PERIOD_RULE, periodOf } from '#domain/time.js';
import type { CommandContext, WithContext } from './command-context.js';
import { addText, agree, withProgress } from './erasing.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

interface RetentionOptions {
  readonly station?: readonly string[];
  /** Period in milliseconds. */
  readonly olderThan?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  /** Period in milliseconds, or `forever`, or `default` for the default of the service. */
  readonly keep?: number | 'forever' | 'default';
  readonly show?: boolean;
}

/** Adds the command `weatherd retention`. */
export function addRetentionCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  program
    .command('retention')
    .description(
      'erase months of observations after their retention period, as the service does; daily aggregates are kept',
    )
    .option('--station <id>', 'only observations of this station; may be repeated', addText)
    .option('--older-than <period>', 'retention period instead of WEATHERD_RETENTION: 400d, 10y', parsePeriod)
    .option(
      '--keep <period>',
      'set the retention period of the --station: 400d, 10y, forever, or default',
      parseKept,
    )
    .option('--show', 'list the retention period of each station')
    .option('--dry-run', 'print how many rows of which stations would be erased, and erase nothing')
    .option('--yes', 'do not ask; required if standard input is not a terminal')
    .action((options: RetentionOptions, command: Command) => {
      const { dryRun = false, yes = false, keep, show = false } = options;
      if (show) return withContext((context) => list(context, terminal));
      if (keep !== undefined) {
        const { station } = options;
        if (station === undefined) command.error('error: --keep requires --station');
        else return withContext((context) => note(context, terminal, station, keep));
      }
      if (!dryRun && !yes && !terminal.isInteractive)
        command.error('error: give --yes or --dry-run, because there is no terminal for a question');
      return withContext((context) =>
        terminal.interruptibly((signal) => expire(context, terminal, options, signal)),
      );
    });
}

async function expire(
  { useCase, calendar }: CommandContext,
  terminal: Terminal,
  { station, olderThan, dryRun = false, yes = false }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  const request = { stations: station, period: olderThan };
  const ranges = await useCase(FindOldRows).execute(request);
  const counts = await withProgress(terminal, ranges.length, (onRemaining) =>
    useCase(CountValues).execute(ranges, { signal, onRemaining }),
  );
  const { byNumber } = await useCase(StationDirectory).current();
  const lines = counts.map(({ station: number, rows }, index) => {
    const { id = String(number), timeZone = 'UTC' } = byNumber.get(number) ?? {};
    const before = calendar.format(ranges[index]?.to ?? 0, timeZone).slice(0, 10);
    return [id, String(rows), before];
  });
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  if (rows === 0) {
    terminal.print('No observations are older than their retention period.');
    return;
  }
  terminal.print(formatTable(['STATION', 'ROWS', 'BEFORE'], lines));
  if (dryRun) {
    terminal.print(`${rows} rows would be erased. Their daily aggregates would be kept.`);
    return;
  }
  if (!yes)
    await agree(`Erase these ${rows} rows permanently, and keep only their daily aggregates?`, terminal);
  const erased = await withProgress(terminal, ranges.length, (onRemaining) =>
    useCase(ExpireRows).execute(request, COMMAND_LINE, { signal, onRemaining }),
  );
  terminal.print(`Erased ${erased.rows} rows.`);
}

async function note(
  { useCase }: CommandContext,
  terminal: Terminal,
  stations: readonly string[],
  keep: number | 'forever' | 'default',
): Promise<void> {
  const period = keep === 'forever' ? null : keep === 'default' ? undefined : keep;
  await useCase(SetRetention).execute(stations, period, COMMAND_LINE);
  terminal.print(`The retention period of ${stations.join(', ')} was set.`);
}

async function list({ useCase }: CommandContext, terminal: Terminal): Promise<void> {
  const kept = await useCase(SetRetention).list();
  const lines = kept.map(({ id, period, isOwn }) => [
    id,
    periodText(period),
    isOwn ? 'station' : 'all stations',
  ]);
  terminal.print(formatTable(['STATION', 'KEPT', 'SET FOR'], lines));
}

function periodText(period: number | null): string {
  return period === null ? 'forever' : `${Math.round((period / MILLISECONDS.day) * 100) / 100} days`;
}

function parseKept(text: string): number | 'forever' | 'default' {
  return text === 'forever' || text === 'default' ? text : parsePeriod(text);
}

function parsePeriod(text: string): number {
  const period = periodOf(text);
  if (period === undefined) throw new InvalidArgumentError(`It must be ${PERIOD_RULE}.`);
  return period;
}
