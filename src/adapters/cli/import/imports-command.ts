import { type Command, InvalidArgumentError } from 'commander';
import { ListImports, type ListedImport } from '#application/observations/imports/list-imports.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Largest number of stations that a row of the table names. */
const MAX_NAMED = 3;

/** Adds the command `weatherd imports`. */
export function addImportsCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  program
    .command('imports')
    .description('list the imports of files, newest first; "weatherd import --undo NUMBER" undoes an import')
    .option('--limit <imports>', 'largest number of imports', parseCount, 20)
    .addHelpText(
      'after',
      '\nROWS is the number of rows that the import inserted or changed. CHECKED is the share of them whose\n' +
        'quality flags are final; a running service checks the others. UNDO SIZE is the space for the values from before\n' +
        'the import; - if there are none.',
    )
    .action(({ limit }: { limit: number }) =>
      withContext(async ({ useCase }) => {
        const imports = await useCase(ListImports).execute(limit);
        const head = ['NUMBER', 'STARTED', 'STATE', 'ROWS', 'CHECKED', 'UNDO SIZE', 'STATIONS', 'FILE'];
        terminal.print(formatTable(head, imports.map(toRow)));
      }),
    );
}

function toRow(listed: ListedImport): string[] {
  const { number, startedAt, rows, checked, bytes, stations, file } = listed;
  const more = stations.length - MAX_NAMED;
  return [
    String(number),
    new Date(startedAt).toISOString(),
    stateOf(listed),
    String(rows),
    checked === null ? '-' : `${Math.floor(checked * 100)} %`,
    bytes === 0 ? '-' : `${Math.ceil(bytes / 1024)} KiB`,
    `${stations.slice(0, MAX_NAMED).join(', ') || '-'}${more > 0 ? ` and ${more} more` : ''}`,
    file,
  ];
}

function stateOf({ endedAt, undo, isForgotten }: ListedImport): string {
  if (undo !== null) return undo.endedAt === null ? 'undo not finished' : 'undone';
  const state = endedAt === null ? 'not finished' : 'done';
  return isForgotten ? `${state}, cannot be undone` : state;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
}
