import { DomainError } from '../../../../domain/domain-error.js';
import { askYes } from '../../accounts/ask.js';
import type { CommandContext } from '../../command-context.js';
import type { Terminal } from '../../terminal.js';
import type { ImportOptions } from './import-options.js';
import { describeFile, type PlannedFile } from './plan-files.js';

/**
 * Shows what is understood, on standard output with `--dry-run` and on standard error otherwise, and asks a person at a terminal.
 *
 * @returns whether the rows are to be written
 * @throws DomainError REQUEST_INVALID when the person says no, or nobody can be asked and something is in doubt
 */
export async function confirmPlans(
  planned: readonly PlannedFile[],
  options: ImportOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<boolean> {
  /** The first file that was understood in this way. */
  const known = new Map<string, string>();
  for (const file of planned) {
    const { label } = file.input;
    const { plan, rows } = await describeFile(file, options, context);
    const same = known.get(plan);
    if (same === undefined) known.set(plan, label);
    const text = `${label}: ${same === undefined ? plan : `understood as ${same}`}${rows}`;
    if (options.dryRun === true) terminal.print(text);
    else terminal.printError(text);
  }
  if (options.dryRun === true) return false;
  if (options.yes === true) return true;
  if (terminal.isInteractive) {
    if (await askYes('Write these rows?', terminal)) return true;
    throw invalid('Nothing is written.');
  }
  const unsure = planned.find(({ plan }) => plan.doubt !== undefined);
  if (unsure === undefined) return true;
  throw invalid(`${unsure.input.label}: ${unsure.plan.doubt}`);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
