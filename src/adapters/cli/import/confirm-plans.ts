import { DomainError } from '#domain/domain-error.js';
import { textOf } from '#adapters/formats/files/sentences.js';
import type { ImportContext } from '#adapters/imports/import-context.js';
import { type PlannedFile, planOf, samplesOf } from '#adapters/imports/plan/plan-files.js';
import { askYes } from '../accounts/ask.js';
import type { Terminal } from '../terminal.js';
import type { CommandOptions } from './command-options.js';
import { planText, samplesText } from './plan-report.js';

/**
 * Some files are read in the same way as an earlier file. At most this number of them are shown with their first rows; the others
 * are only counted.
 */
const SHOWN = 50;

/**
 * Shows how the files will be read, on standard output with `--dry-run` and otherwise on standard error. Asks for confirmation at
 * a terminal.
 *
 * @returns whether the rows should be written
 * @throws DomainError REQUEST_INVALID if the person does not confirm, or if it is uncertain how a file must be read and there is
 *   no terminal
 */
export async function confirmPlans(
  planned: readonly PlannedFile[],
  options: CommandOptions,
  context: ImportContext,
  terminal: Terminal,
): Promise<boolean> {
  /** The key is the description of how a file is read. The value is the name of the first file that is read in this way. */
  const known = new Map<string, string>();
  let [alike, unshown] = [0, 0];
  for (const file of planned) {
    const { label } = file.input;
    const described = planText(planOf(file, options, 'command'));
    const same = known.get(described);
    if (same === undefined) known.set(described, label);
    else alike += 1;
    if (same !== undefined && alike > SHOWN) {
      unshown += 1;
      continue;
    }
    const samples = await samplesOf(file, options, context);
    const rows = samples === undefined ? '' : samplesText(samples);
    const text = `${label}: ${same === undefined ? described : `read like ${same}`}${rows}`;
    if (options.dryRun === true) terminal.print(text);
    else terminal.printError(text);
  }
  if (unshown > 0) {
    const text = `… and ${unshown} more files, which are read like files above`;
    if (options.dryRun === true) terminal.print(text);
    else terminal.printError(text);
  }
  if (options.dryRun === true) return false;
  if (options.yes === true) return true;
  if (terminal.isInteractive) {
    if (await askYes('Write these rows?', terminal)) return true;
    throw invalid('The answer was not yes. Nothing was written.');
  }
  const unsure = planned.find(({ plan }) => plan.doubt !== undefined);
  if (unsure === undefined) return true;
  const doubt = (unsure.plan.doubt ?? []).map((sentence) => textOf(sentence, 'command'));
  throw invalid(`${unsure.input.label}: ${doubt.join(' ')}`);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
