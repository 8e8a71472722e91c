import type { Command } from 'commander';
import { CheckData } from '../../application/operation/check-data.js';
import type { DamagedData } from '../../application/ports/data-verifier.js';
import { COMMAND_LINE } from '../../domain/accounts/audit-event.js';
import type { WithContext } from './command-context.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

/** Largest number of stations that a line names. */
const MAX_NAMED = 5;

/** `weatherd check`. */
export function addCheckCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  program
    .command('check')
    .description('verify all data and list what is damaged; exit status 1 if anything is')
    .option('--discard', 'delete damaged observations permanently, so that the rest of their days is served')
    .action(({ discard = false }: { discard?: boolean }) =>
      withContext(async ({ useCase, location }) => {
        const { verified, faults, damage } = await useCase(CheckData).execute({ discard }, COMMAND_LINE);
        if (damage.length > 0)
          terminal.print(formatTable(['STATION', 'FROM', 'TO', 'ROWS', 'REASON'], damage.map(toRow)));
        if (discard && damage.length > 0) terminal.print('Deleted what is listed.');
        if (faults.length > 0) {
          throw new Error(`The data file ${location} is damaged: ${faults.join('; ')}. Restore a backup.`);
        }
        if (damage.length === 0)
          terminal.print(`Verified ${verified} blobs of observations: all can be read.`);
        else if (!discard) {
          throw new Error(
            'Some observations are damaged. Restore a backup, or import the rows again; ' +
              '"weatherd check --discard" deletes what cannot be read.',
          );
        }
      }),
    );
}

function toRow({ stations, first, last, rows, reason }: DamagedData): string[] {
  const day = (time: number) => new Date(time).toISOString().replace(/T.*/, '');
  const named = stations?.slice(0, MAX_NAMED).join(', ') ?? 'unknown';
  const more =
    stations !== null && stations.length > MAX_NAMED ? ` and ${stations.length - MAX_NAMED} more` : '';
  return [`${named}${more}`, day(first), day(last), String(rows), reason];
}
