import { type Command, InvalidArgumentError } from 'commander';
import { CountValues } from '../../application/observations/removal/count-values.js';
import { ExpireRows } from '../../application/operation/expire-rows.js';
import { FindOldRows } from '../../application/operation/find-old-rows.js';
import { StationDirectory } from '../../application/stations/station-directory.js';
import { COMMAND_LINE } from '../../domain/accounts/audit-event.js';
import { PERIOD_RULE, periodOf } from '../../domain/time.js';
import type { CommandContext, WithContext } from './command-context.js';
import { addText, agree, withProgress } from './erasing.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

interface RetentionOptions {
  readonly station?: readonly string[];
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `weatherd retention`. */
export function addRetentionCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  program
    .command('retention')
    .description('erase observations that are older than they are kept, as the service does every hour')
    .option('--station <id>', 'only of this station; once for each', addText)
    .option('--older-than <period>', 'in place of WEATHERD_OBSERVATION_RETENTION: 400d, 10y', parsePeriod)
    .option('--dry-run', 'show how many rows of which stations it would erase, and erase nothing')
    .option('--yes', 'do not ask; required if standard input is not a terminal')
    .action((options: RetentionOptions, command: Command) => {
      const { dryRun = false, yes = false } = options;
      if (!dryRun && !yes && !terminal.isInteractive)
        command.error('error: give --yes or --dry-run, since nobody can be asked here');
      return withContext((context) =>
        terminal.interruptibly((signal) => expire(context, terminal, options, signal)),
      );
    });
}

async function expire(
  { useCase }: CommandContext,
  terminal: Terminal,
  { station, olderThan, dryRun = false, yes = false }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  const request = { stations: station, period: olderThan };
  const ranges = await useCase(FindOldRows).execute(request);
  const counts = await withProgress(terminal, ranges.length, (onRest) =>
    useCase(CountValues).execute(ranges, { signal, onRest }),
  );
  const { byNumber } = await useCase(StationDirectory).current();
  const lines = counts.map(({ station: number, rows }, index) => {
    const before = new Date(ranges[index]?.to ?? 0).toISOString().slice(0, 10);
    return [byNumber.get(number)?.id ?? String(number), String(rows), before];
  });
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  if (rows === 0) {
    terminal.print('No observations are older than they are kept.');
    return;
  }
  terminal.print(formatTable(['STATION', 'ROWS', 'BEFORE'], lines));
  if (dryRun) {
    terminal.print(`${rows} rows would be erased.`);
    return;
  }
  if (!yes) await agree(`Erase these ${rows} rows permanently?`, terminal);
  const erased = await withProgress(terminal, ranges.length, (onRest) =>
    useCase(ExpireRows).execute(request, COMMAND_LINE, { signal, onRest }),
  );
  terminal.print(`Erased ${erased.rows} rows.`);
}

function parsePeriod(text: string): number {
  const period = periodOf(text);
  if (period === undefined) throw new InvalidArgumentError(`It must be ${PERIOD_RULE}.`);
  return period;
}
