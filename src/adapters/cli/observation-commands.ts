import type { Command } from 'commander';
import { CountValues } from '#application/observations/removal/count-values.js';
import { FindValues } from '#application/observations/removal/find-values.js';
import { RemoveValues } from '#application/observations/removal/remove-values.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { CommandContext, WithContext } from './command-context.js';
import { addText, agree, withProgress } from './erasing.js';
import { addOverride } from './stations/override-commands.js';
import type { Terminal } from './terminal.js';
import { parseTimeOption } from './stations/time-option.js';

interface RemovalOptions {
  readonly station: string;
  readonly variable?: readonly string[];
  readonly from: number | string;
  readonly to: number | string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Adds the commands `weatherd observations remove|judge`. */
export function addObservationCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const observations = program
    .command('observations')
    .description('remove values of a station, or mark them as bad or as good');
  addOverride(observations, 'judge', terminal, withContext);
  observations
    .command('remove')
    .description('permanently remove the values in a range of times')
    .requiredOption('--station <id>', 'id of the station')
    .option('--variable <name>', 'only values of this variable; may be repeated', addText)
    .requiredOption('--from <time>', 'from this time on; a date is a day of the station', parseTimeOption)
    .requiredOption('--to <time>', 'before this time; a date is the start of that day', parseTimeOption)
    .option('--dry-run', 'print how many values would be removed, and remove nothing')
    .option('--yes', 'do not ask; required if standard input is not a terminal')
    .action((options: RemovalOptions, command: Command) => {
      const { dryRun = false, yes = false } = options;
      if (!dryRun && !yes && !terminal.isInteractive)
        command.error('error: give --yes or --dry-run, because there is no terminal for a question');
      return withContext((context) =>
        terminal.interruptibly((signal) => removeValues(context, terminal, options, signal)),
      );
    });
}

async function removeValues(
  { useCase }: CommandContext,
  terminal: Terminal,
  { station: id, variable: variables, from, to, dryRun = false, yes = false }: RemovalOptions,
  signal: AbortSignal,
): Promise<void> {
  const request = { from, to, variables };
  const { ranges } = await useCase(FindValues).execute(id, request);
  const counts = await withProgress(terminal, ranges.length, (onRemaining) =>
    useCase(CountValues).execute(ranges, { signal, onRemaining }),
  );
  const values = counts.reduce((sum, count) => sum + count.values, 0);
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  if (dryRun || values === 0) {
    terminal.print(`${values} values in ${rows} rows of ${id} would be removed.`);
    return;
  }
  if (!yes) await agree(`Remove ${values} values in ${rows} rows of ${id} permanently?`, terminal);
  const removed = await withProgress(terminal, ranges.length, (onRemaining) =>
    useCase(RemoveValues).execute(id, request, COMMAND_LINE, { signal, onRemaining }),
  );
  terminal.print(`Removed ${removed.values} values in ${removed.rows} rows of ${id}.`);
}
