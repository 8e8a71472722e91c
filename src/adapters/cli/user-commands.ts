import type { Command } from 'commander';
import type { AddUser } from '../../application/add-user.js';
import type { ChangePassword } from '../../application/change-password.js';
import type { ListUsers } from '../../application/list-users.js';
import type { RemoveUser } from '../../application/remove-user.js';
import type { SetUserEnabled } from '../../application/set-user-enabled.js';
import { askPassword } from './ask-password.js';
import { formatTable } from './table.js';

export interface UserUseCases {
  readonly addUser: AddUser;
  readonly listUsers: ListUsers;
  readonly setUserEnabled: SetUserEnabled;
  readonly changePassword: ChangePassword;
  readonly removeUser: RemoveUser;
}

type WithUsers = (work: (useCases: UserUseCases) => Promise<void>) => Promise<void>;

/** `weatherd user add|list|disable|enable|password|remove`. */
export function addUserCommands(program: Command, withUsers: WithUsers): void {
  const user = program.command('user').description('manage the users who may sign in');

  user
    .command('add <name>')
    .description('make a user; the password is asked for, or read from standard input')
    .option('--email <address>', 'email address, to sign in with instead of the name')
    .action(async (name: string, { email = null }: { email?: string | null }) => {
      const password = await askPassword(`Password for ${name}: `);
      await withUsers(async ({ addUser }) => {
        const added = await addUser.execute({ name, email, password });
        say(`Added ${added.name}.`);
      });
    });

  user
    .command('list')
    .description('list the users')
    .action(() =>
      withUsers(async ({ listUsers }) => {
        const rows = (await listUsers.execute()).map((listed) => [
          listed.name,
          listed.email ?? '-',
          listed.enabled ? 'enabled' : 'disabled',
          new Date(listed.createdAt).toISOString(),
        ]);
        say(formatTable(['NAME', 'EMAIL', 'STATE', 'CREATED'], rows));
      }),
    );

  for (const [command, enabled] of [
    ['disable', false],
    ['enable', true],
  ] as const) {
    user
      .command(`${command} <name>`)
      .description(enabled ? 'let a user sign in again' : 'no longer let a user sign in')
      .action((name: string) =>
        withUsers(async ({ setUserEnabled }) => {
          await setUserEnabled.execute({ name, enabled });
          say(`${enabled ? 'Enabled' : 'Disabled'} ${name}.`);
        }),
      );
  }

  user
    .command('password <name>')
    .description('set a new password, which is asked for or read from standard input')
    .action(async (name: string) => {
      const password = await askPassword(`New password for ${name}: `);
      await withUsers(async ({ changePassword }) => {
        await changePassword.execute({ name, password });
        say(`Changed the password of ${name}.`);
      });
    });

  user
    .command('remove <name>')
    .description('remove a user for good')
    .action((name: string) =>
      withUsers(async ({ removeUser }) => {
        await removeUser.execute({ name });
        say(`Removed ${name}.`);
      }),
    );
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
