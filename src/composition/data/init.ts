import { ListKeys } from '#application/accounts/keys/list-keys.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { acceptNewPassword } from '#domain/accounts/password.js';
import { acceptUserName } from '#domain/accounts/user.js';
import type { Config } from '../config.js';
import { thenClose } from '../runnables.js';
import { terminalCommand } from '../settings/terminal-command.js';
import { existingData } from './data-location.js';

/** @throws Error if data exist already. The message names the command that the user probably needs. */
export async function assertNoData(config: Config): Promise<void> {
  const existing = await existingData(config);
  if (existing === undefined) return;
  throw new Error(
    `${existing} already contains data; nothing was changed. ` +
      '"weatherd user add NAME --administrator" creates an administrator.',
  );
}

/**
 * Creates the data directory, the data file or the schema, a signing key and the first administrator.
 *
 * @returns a message that lists what was created
 * @throws DomainError REQUEST_INVALID for a name or a password that breaks a rule, before anything is created; Error if
 *   data exist already
 */
export async function initialize(config: Config, name: string, password: string): Promise<string> {
  acceptUserName(name);
  acceptNewPassword(password);
  await assertNoData(config);
  const { openApplication } = await import('../container.js');
  const application = await openApplication(config, () => undefined);
  const { useCase, location } = application;
  const make = async () => {
    const keys = await useCase(ListKeys).execute();
    const user = { name, email: null, password, administrator: true };
    const added = await useCase(AddUser).execute(user, COMMAND_LINE);
    return [
      `Created ${location}.`,
      ...keys.map(({ id }) => `The signing key is ${id}.`),
      `Created the administrator ${added.name}.`,
      `Next: ${terminalCommand(config)} serve`,
    ].join('\n');
  };
  return await thenClose(make, () => application.close());
}
