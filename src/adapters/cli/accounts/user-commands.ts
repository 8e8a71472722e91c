import type { Command } from 'commander';
import { AddUser } from '#application/accounts/users/add-user.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { ListUsers } from '#application/accounts/users/list-users.js';
import { RemoveUser } from '#application/accounts/users/remove-user.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { type PublicUser, roleOf } from '#domain/accounts/user.js';
import { acceptUserName, identityKey } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { askPassword } from './ask.js';

interface AddOptions {
  readonly email?: string | null;
  readonly administrator?: boolean;
}

const SWITCHES = [
  {
    command: 'disable',
    description: 'disable the sign-in of a user, and end all sessions of the user',
    changes: { enabled: false },
    done: 'Disabled',
  },
  {
    command: 'enable',
    description: 'let a user sign in again',
    changes: { enabled: true },
    done: 'Enabled',
  },
  {
    command: 'promote',
    description: 'make a user an administrator',
    changes: { administrator: true },
    done: 'Promoted',
  },
  {
    command: 'demote',
    description: 'remove the administrator role from a user',
    changes: { administrator: false },
    done: 'Demoted',
  },
] as const;

const GRANTS = [
  {
    how: 'grant',
    description: 'let a user write observations of stations',
    done: (name: string, stations: string) => `${name} may write observations of ${stations}.`,
  },
  {
    how: 'withdraw',
    description: 'no longer let a user write observations of stations',
    done: (name: string, stations: string, isAdministrator: boolean) =>
      isAdministrator
        ? `${name} has no grant for ${stations} any more, but may write observations of all stations as an administrator.`
        : `${name} may no longer write observations of ${stations}.`,
  },
] as const;

/** Adds the commands `weatherd user add|list|disable|enable|promote|demote|grant|withdraw|password|remove`. */
export function addUserCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const user = program.command('user').description('manage the users who may sign in');

  user
    .command('add <name>')
    .description('add a user; the password is entered at the terminal or read from standard input')
    .option('--email <address>', 'email address, which the user can enter instead of the name to sign in')
    .option('--administrator', 'allow the user to change stations, users and observations over HTTP')
    .action(async (name: string, { email = null, administrator = false }: AddOptions) => {
      await withContext(async ({ useCase }) => {
        acceptUserName(name);
        // The name is checked before the password is asked, so that nobody enters a password in vain.
        if ((await findUser(name, useCase(ListUsers))) !== undefined) {
          throw new DomainError(
            'USER_EXISTS',
            `A user named ${JSON.stringify(name)} exists already. Choose another name.`,
          );
        }
        const password = await askPassword(`Password for ${name}: `, terminal);
        const added = await useCase(AddUser).execute({ name, email, password, administrator }, COMMAND_LINE);
        terminal.print(`Added ${added.name}.`);
      });
    });

  user
    .command('list')
    .description('list the users')
    .action(() =>
      withContext(async ({ useCase }) => {
        const rows = (await useCase(ListUsers).execute()).map((listed) => [
          listed.name,
          listed.email ?? '-',
          listed.enabled ? 'enabled' : 'disabled',
          roleOf(listed),
          describeGrant(listed),
          new Date(listed.createdAt).toISOString(),
        ]);
        terminal.print(formatTable(['NAME', 'EMAIL', 'STATE', 'ROLE', 'WRITES', 'CREATED'], rows));
      }),
    );

  for (const { command, description, changes, done } of SWITCHES) {
    user
      .command(`${command} <name>`)
      .description(description)
      .action((name: string) =>
        withContext(async ({ useCase }) => {
          await useCase(ChangeUser).execute({ name, ...changes }, COMMAND_LINE);
          terminal.print(`${done} ${name}.`);
        }),
      );
  }

  for (const { how, description, done } of GRANTS) {
    user
      .command(`${how} <name> [stations...]`)
      .description(description)
      .option('--all', 'all stations, including future stations')
      .action((name: string, ids: string[], { all = false }: { all?: boolean }, command: Command) => {
        if (all === ids.length > 0) command.error('error: give stations or --all');
        const stations = all ? '*' : ids;
        return withContext(async ({ useCase }) => {
          await useCase(ChangeUser).execute({ name, stations: { how, stations } }, COMMAND_LINE);
          const isAdministrator = (await findUser(name, useCase(ListUsers)))?.administrator === true;
          terminal.print(done(name, all ? 'all stations' : ids.join(', '), isAdministrator));
        });
      });
  }

  user
    .command('password <name>')
    .description('set a new password, which is entered at the terminal or read from standard input')
    .action(async (name: string) => {
      await withContext(async ({ useCase }) => {
        if ((await findUser(name, useCase(ListUsers))) === undefined) {
          throw new DomainError('USER_UNKNOWN', `There is no user named ${JSON.stringify(name)}.`);
        }
        const password = await askPassword(`New password for ${name}: `, terminal);
        await useCase(ChangeUser).execute({ name, password }, COMMAND_LINE);
        terminal.print(`Changed the password of ${name}.`);
      });
    });

  user
    .command('remove <name>')
    .description('remove a user permanently')
    .action((name: string) =>
      withContext(async ({ useCase }) => {
        await useCase(RemoveUser).execute({ name }, COMMAND_LINE);
        terminal.print(`Removed ${name}.`);
      }),
    );
}

/** The stations whose observations a user may write, as text. */
function describeGrant({ administrator, stations }: PublicUser): string {
  if (administrator || stations === '*') return 'all';
  return stations.join(', ') || '-';
}

async function findUser(name: string, listUsers: ListUsers): Promise<PublicUser | undefined> {
  const users = await listUsers.execute();
  return users.find((user) => identityKey(user.name) === identityKey(name));
}
