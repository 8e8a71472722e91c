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
    .option('--undo <number>', 'undo an import; see below', parseNumber)
    .addHelpText(
      'after',
      '\nEach import has a number, which is printed at its end and by "weatherd imports". --undo undoes its changes:\n' +
        'changed values get their values from before the import, and rows that it added are removed. Values that were\n' +
        'overwritten later are kept. Undo several imports of the same rows in the order from the newest to the oldest. To\n' +
        `continue an interrupted undo, run the same command again. An import can be undone for ${UNDOABLE_DAYS} days.`,
    );
}

/** Ends the command with an error if `--undo` is used together with a file or with other options. */
export function assertUndoAlone(command: Command, file: string | undefined): void {
  const others = command.options
    .map((option) => option.attributeName())
    .filter((name) => name !== 'undo' && command.getOptionValueSource(name) === 'cli');
  if (file !== undefined || others.length > 0)
    command.error('error: --undo cannot be used with a file or with other options');
}

/** Carries out `weatherd import --undo`. @throws DomainError REQUEST_INVALID for an import that cannot be undone */
export async function undoImport(number: number, context: CommandContext, terminal: Terminal): Promise<void> {
  await terminal.interruptibly(async (signal) => {
    const { counts, endedAt, wasDone } = await context
      .useCase(UndoImport)
      .execute(number, COMMAND_LINE, signal);
    if (wasDone) terminal.print(`Import ${number} was undone on ${new Date(endedAt ?? 0).toISOString()}.`);
    terminal.print(describe(counts));
  });
}

/** The counts as sentences, for people. */
function describe({ takenBack, removed, overwritten, withoutStation, unreadable }: UndoCounts): string {
  const lines = [doneText(takenBack, removed)];
  if (overwritten.rows > 0) lines.push(`${quantity(overwritten)} kept: overwritten or removed later.`);
  if (withoutStation.rows > 0)
    lines.push(`${quantity(withoutStation)} kept: their station has been removed.`);
  if (unreadable > 0)
    lines.push(`${count(unreadable, 'row')} kept: the journal of their earlier values is damaged.`);
  return lines.join('\n');
}

/** What was undone. The values of the removed rows are among those of `takenBack`, but nothing was restored in these rows. */
function doneText(takenBack: CellCount, removed: number): string {
  const restored = Math.max(0, takenBack.rows - removed);
  if (removed === 0) return `${quantity(takenBack)} restored.`;
  if (restored === 0) return `${count(removed, 'row')} with ${count(takenBack.values, 'value')} removed.`;
  return `${quantity(takenBack)} undone: ${count(restored, 'row')} restored; ${count(removed, 'row')} removed.`;
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
