import { type Command, InvalidArgumentError } from 'commander';
import { ListKeys } from '#application/accounts/keys/list-keys.js';
import { RetireKey } from '#application/accounts/keys/retire-key.js';
import { RotateKey } from '#application/accounts/keys/rotate-key.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/**
 * Default number of seconds between the publication of a key and the first signature with the key. The default is twice the time
 * for which other programs may cache the published keys.
 */
const LEAD = 600;

/** Adds the commands `weatherd keys list|rotate|retire`. */
export function addKeyCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const keys = program.command('keys').description('manage the keys that sign tokens');

  keys
    .command('list')
    .description('list the keys with their states')
    .action(() =>
      withContext(async ({ useCase }) => {
        const show = (time: number | null) => (time === null ? '-' : new Date(time).toISOString());
        const rows = (await useCase(ListKeys).execute()).map((key) => [
          key.id,
          key.state,
          show(key.signsFrom),
          show(key.verifiesUntil),
          show(key.retiredAt),
        ]);
        terminal.print(formatTable(['KEY', 'STATE', 'SIGNS FROM', 'VERIFIES UNTIL', 'RETIRED'], rows));
      }),
    );

  keys
    .command('rotate')
    .description('create a key that is published now and signs later; tokens of the current key stay valid')
    .option(
      '--lead <seconds>',
      'time between its publication and its first signature; 0 signs at once',
      parseSeconds,
      LEAD,
    )
    .action(({ lead }: { lead: number }) =>
      withContext(async ({ useCase }) => {
        const key = await useCase(RotateKey).execute({ lead }, COMMAND_LINE);
        terminal.print(`Created the key ${key.id}. It signs from ${new Date(key.signsFrom).toISOString()}.`);
      }),
    );

  keys
    .command('retire <key>')
    .description('withdraw a key at once, with all tokens that it signed')
    // Unknown options are allowed, because one id in 64 begins with a dash, and the parser would take such an id for an option.
    .allowUnknownOption()
    .action((id: string) =>
      withContext(async ({ useCase }) => {
        await useCase(RetireKey).execute({ id }, COMMAND_LINE);
        terminal.print(`Retired the key ${id}.`);
      }),
    );
}

function parseSeconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.');
  return Number(text);
}
