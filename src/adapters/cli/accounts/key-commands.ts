import { type Command, InvalidArgumentError } from 'commander';
import type { ListKeys } from '../../../application/accounts/keys/list-keys.js';
import type { RetireKey } from '../../../application/accounts/keys/retire-key.js';
import type { RotateKey } from '../../../application/accounts/keys/rotate-key.js';
import { COMMAND_LINE } from '../../../domain/accounts/audit-event.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface KeyUseCases {
  readonly listKeys: ListKeys;
  readonly rotateKey: RotateKey;
  readonly retireKey: RetireKey;
}

type WithKeys = (work: (useCases: KeyUseCases) => Promise<void>) => Promise<void>;

/** Seconds: twice as long as others may keep the published keys. */
const LEAD = 600;

/** `weatherd keys list|rotate|retire`. */
export function addKeyCommands(program: Command, terminal: Terminal, withKeys: WithKeys): void {
  const keys = program.command('keys').description('manage the keys that sign tokens');

  keys
    .command('list')
    .description('list the keys and what each is doing')
    .action(() =>
      withKeys(async ({ listKeys }) => {
        const show = (time: number | null) => (time === null ? '-' : new Date(time).toISOString());
        const rows = (await listKeys.execute()).map((key) => [
          key.id,
          key.state,
          show(key.signsFrom),
          show(key.verifiesUntil),
          show(key.retiredAt),
        ]);
        terminal.say(formatTable(['KEY', 'STATE', 'SIGNS FROM', 'VERIFIES UNTIL', 'RETIRED'], rows));
      }),
    );

  keys
    .command('rotate')
    .description('make a key that is published now and signs later; tokens of the present one stay good')
    .option(
      '--lead <seconds>',
      'how long it is published before it signs; 0 signs at once',
      parseSeconds,
      LEAD,
    )
    .action(({ lead }: { lead: number }) =>
      withKeys(async ({ rotateKey }) => {
        const key = await rotateKey.execute({ lead }, COMMAND_LINE);
        terminal.say(`Made ${key.id}, which signs from ${new Date(key.signsFrom).toISOString()}.`);
      }),
    );

  keys
    .command('retire <key>')
    .description('withdraw a key at once, and every token that it has signed')
    // One id in 64 begins with a dash.
    .allowUnknownOption()
    .action((id: string) =>
      withKeys(async ({ retireKey }) => {
        await retireKey.execute({ id }, COMMAND_LINE);
        terminal.say(`Retired ${id}.`);
      }),
    );
}

function parseSeconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.');
  return Number(text);
}
