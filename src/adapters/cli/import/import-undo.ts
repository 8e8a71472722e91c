import { type Command, InvalidArgumentError } from 'commander';
import { UNDOABLE_DAYS } from '#application/observations/imports/import-retention.js';
import { UndoImport } from '#application/observations/imports/undo-import.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { CellCount } from '#domain/weather/undo/cell-changes.js';
import type { UndoCounts } from '#domain/weather/undo/undo-counts.js';
import type { CommandContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';

/** Adds `--undo` to `weatherd import`. */
export function addUndoOption(command: Command): Command {
  return command
    .option('--undo <number>', 'take back what an import has written; see below', parseNumber)
    .addHelpText(
      'after',
      '\nEach import has a number, which is printed at its end and by "weatherd imports". --undo takes back its changes:\n' +
        'values get back what was there before the import, and rows that it has added are removed. Values that have been\n' +
        'overwritten since are left. Several imports of the same rows are undone newest first. An undo that was\n' +
        `interrupted is continued by the same command. An import can be undone for ${UNDOABLE_DAYS} days.`,
    );
}

/** Ends the program with a message if `--undo` is given together with a file or with other options. */
export function assertUndoAlone(command: Command, file: string | undefined): void {
  const others = command.options
    .map((option) => option.attributeName())
    .filter((name) => name !== 'undo' && command.getOptionValueSource(name) === 'cli');
  if (file !== undefined || others.length > 0)
    command.error('error: --undo takes neither a file nor other options');
}

/** `weatherd import --undo`. @throws DomainError REQUEST_INVALID for an import that cannot be undone */
export async function undoImport(number: number, context: CommandContext, terminal: Terminal): Promise<void> {
  await terminal.interruptibly(async (signal) => {
    const { counts, endedAt, wasDone } = await context
      .useCase(UndoImport)
      .execute(number, COMMAND_LINE, signal);
    if (wasDone) terminal.print(`Import ${number} was undone on ${new Date(endedAt ?? 0).toISOString()}.`);
    terminal.print(describe(counts));
  });
}

/** The counts in sentences, for people. */
function describe({ takenBack, removed, overwritten, withoutStation, unreadable }: UndoCounts): string {
  const lines = [`${quantity(takenBack)} taken back; ${count(removed, 'row')} removed.`];
  if (overwritten.rows > 0) lines.push(`${quantity(overwritten)} left: overwritten or removed since.`);
  if (withoutStation.rows > 0)
    lines.push(`${quantity(withoutStation)} left: their station has been removed.`);
  if (unreadable > 0)
    lines.push(`${count(unreadable, 'row')} left: the notes of what was there before are damaged.`);
  return lines.join('\n');
}

function quantity({ rows, values }: CellCount): string {
  return `${count(values, 'value')} in ${count(rows, 'row')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function parseNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be the number of an import.');
  return Number(text);
}
