import type { Command } from 'commander';
import { EndSessions } from '#application/accounts/sessions/end-sessions.js';
import { ListSessions } from '#application/accounts/sessions/list-sessions.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Adds the commands `weatherd session list|revoke`. */
export function addSessionCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const session = program.command('session').description('list the sessions of users, and end them');

  session
    .command('list [user]')
    .description('list the valid sessions of one user or of all')
    .action((user: string | undefined) =>
      withContext(async ({ useCase }) => {
        const rows = (await useCase(ListSessions).execute({ user: user ?? null })).map((listed) => [
          listed.id,
          listed.userName,
          listed.address ?? '-',
          new Date(listed.createdAt).toISOString(),
          new Date(listed.validTo * 1000).toISOString(),
        ]);
        terminal.print(formatTable(['SESSION', 'USER', 'FROM', 'SIGNED IN', 'UNTIL'], rows));
      }),
    );

  session
    .command('revoke [session]')
    .description('end a session, or all sessions of a user with --user')
    .option('--user <name>', 'end all sessions of this user')
    .action((id: string | undefined, { user }: { user?: string }, command: Command) => {
      if ((id === undefined) === (user === undefined)) command.error('error: give a session or --user');
      return withContext(async ({ useCase }) => {
        const input = user === undefined ? { session: id ?? '' } : { user };
        const ended = await useCase(EndSessions).execute(input, COMMAND_LINE);
        terminal.print(`Ended ${ended} session${ended === 1 ? '' : 's'}.`);
      });
    });
}
