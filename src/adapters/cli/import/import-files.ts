import type { ImportContext } from '#adapters/imports/import-context.js';
import type { EndedJournal } from '#adapters/imports/import-journals.js';
import { TemporaryFolder } from '#adapters/imports/files/temporary-folder.js';
import { type PlannedFile, planFiles, type Planner } from '#adapters/imports/plan/plan-files.js';
import { type ImportObserver, writeFiles } from '#adapters/imports/write-files.js';
import type { Question } from '#adapters/formats/files/questions.js';
import { rejectionText, textOf } from '#adapters/formats/files/sentences.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { askSecret } from '../accounts/ask.js';
import type { CommandContext } from '../command-context.js';
import { makeBar } from '../progress-bar.js';
import type { Terminal } from '../terminal.js';
import type { CommandOptions } from './command-options.js';
import { confirmPlans } from './confirm-plans.js';
import { waitForFinalFlags } from './final-flags.js';
import { summaryOf } from './import-summary.js';
import { describeQuestions } from './plan-report.js';
import { checkReport, RejectionReport } from './rejection-report.js';

/**
 * Imports files and prints a summary of each.
 *
 * @param isShown whether to show how the files are read, and to ask for confirmation
 * @throws DomainError REQUEST_INVALID if a file or an option is invalid, if it is not certain how a file must be read, or if no
 *   row could be imported
 */
export async function importFiles(
  files: readonly string[],
  options: CommandOptions,
  context: CommandContext,
  terminal: Terminal,
  isShown = true,
): Promise<void> {
  const importing: ImportContext = { ...context, caller: COMMAND_LINE };
  const { rejections, dryRun: _dryRun, yes: _yes, wait: isWaiting = false, ...meaning } = options;
  const numbers: number[] = [];
  await terminal.interruptibly(async (signal) => {
    const folder = new TemporaryFolder();
    try {
      const planned: PlannedFile[] = [];
      const planner = terminalPlanner(options, terminal);
      for (const file of files) {
        planned.push(...(await planFiles(file, meaning, importing, planner, folder, signal)));
      }
      checkReport(rejections, { source: files[0] ?? '', dataPaths: context.dataPaths });
      if (isShown && !(await confirmPlans(planned, options, importing, terminal))) return;
      const observer = terminalObserver(rejections, planned.length, context, terminal, numbers);
      await writeFiles(planned, meaning, importing, observer, signal);
    } finally {
      await folder.remove();
    }
  });
  if (isWaiting) await waitForFinalFlags(numbers, context, terminal);
}

/** Asks the person at the terminal. Without a terminal, an open question ends the command. */
function terminalPlanner(options: CommandOptions, terminal: Terminal): Planner {
  return {
    input: terminal.input,
    answer: async (label, questions) => {
      if (!terminal.isInteractive || options.yes === true) {
        throw new DomainError(
          'REQUEST_INVALID',
          `${label} does not contain all necessary facts. ${describeQuestions(questions)} Or name the columns with --map.`,
        );
      }
      return ask(label, questions[0] as Question, terminal);
    },
    reader: 'command',
    skipped: (file, reason) => terminal.printError(`Skipped ${file}: ${reason}`),
    progress: (count) => startedBar(count, terminal),
  };
}

async function ask(label: string, { sentence, choices }: Question, terminal: Terminal): Promise<string> {
  for (;;) {
    const answer = (
      await askSecret(`${label}: ${textOf(sentence, 'command')} [${choices.join('/')}] `, terminal)
    )
      .trim()
      .toLowerCase();
    const choice = choices.find((known) => known.toLowerCase() === answer);
    if (choice !== undefined) return choice;
    terminal.printError(`The answer must be one of: ${choices.join(', ')}.`);
  }
}

/**
 * Prints what an import does.
 *
 * @param reportFile the file of `--rejections`
 * @param files number of files
 * @param numbers gets the number of each import that has ended
 */
function terminalObserver(
  reportFile: string | undefined,
  files: number,
  { location, dataPaths }: CommandContext,
  terminal: Terminal,
  numbers: number[],
): ImportObserver {
  const belongs = (number: number | undefined) => {
    if (number !== undefined)
      terminal.print(`They belong to import ${number}. "weatherd import --undo ${number}" undoes it.`);
  };
  return {
    reordered: (labels) =>
      terminal.printError(
        `The files have running totals, so that they are read in the order of time: ${labels.join(', ')}.`,
      ),
    created: (ids) => terminal.print(`Created ${ids.length} stations in ${location}: ${ids.join(', ')}.`),
    begins: ({ file, label }, after, isFirst) => {
      if (after > 0) terminal.print(`Continuing after line ${after}, where the last import was interrupted.`);
      const report = new RejectionReport(reportFile, { source: file, dataPaths }, terminal, {
        continues: after > 0 || !isFirst,
        prefix: files > 1 ? `${label}, ` : '',
      });
      return {
        add: (fault) => report.add({ ...fault, problem: rejectionText(fault.reasons, 'command') }),
        flush: () => report.flush(),
        close: () => report.close(),
      };
    },
    progress: (_input, size) => startedBar(size, terminal),
    numbered: () => undefined,
    written: () => undefined,
    stopped: (line, { counts, notes }, canContinue, number) => {
      terminal.print(summaryOf(counts, notes));
      const next = canContinue
        ? 'the same command continues after them'
        : 'importing the whole file again changes none of them';
      terminal.print(`The rows up to line ${line} are stored in ${location}; ${next}.`);
      belongs(number);
    },
    completed: ({ input, counts, notes }) => {
      if (files > 1) terminal.print(`${input.label}:`);
      terminal.print(summaryOf(counts, notes));
    },
    ended: (journal) => {
      numbers.push(journal.number);
      terminal.print(endText(journal));
    },
    intervalsSet: (ids, seconds) =>
      terminal.print(
        `Set the reporting interval of ${ids.join(', ')}, which was unknown, to ${seconds} seconds. "weatherd station set ID --interval" changes it.`,
      ),
    observationTimesSet: ({ changed, refused }) => {
      if (changed.length > 0)
        terminal.print(
          `Set the times of observation of daily values in the history of ${changed.join(', ')}, where it had none. An undo of the import keeps them; "weatherd station set ID --observation-time" changes them.`,
        );
      if (refused.length > 0)
        terminal.print(
          `The times of observation of ${refused.join(', ')} change too often in the file. The history did not change.`,
        );
    },
    historyExtended: (text) =>
      terminal.print(`${text} "weatherd station set ID --interval SECONDS --since DATE" changes it.`),
    empty: ({ label }) => terminal.printError(`${label}: the file has no rows.`),
  };
}

function endText({ number, rows }: EndedJournal): string {
  return rows === 0
    ? `This was import ${number}. It changed nothing.`
    : `This was import ${number}. "weatherd import --undo ${number}" undoes its changes.`;
}

async function startedBar(size: number, terminal: Terminal) {
  const bar = await makeBar(size, terminal);
  bar.start(size, 0);
  return bar;
}
