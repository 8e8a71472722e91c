import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { PublicUser, StationGrant } from '#domain/accounts/user.js';
import { changedInMeantime, DomainError, isDomainError } from '#domain/domain-error.js';
import type { AddUser } from './add-user.js';
import type { ChangeUser } from './change-user.js';
import type { GetUser } from './get-user.js';

export interface PutUserInput {
  readonly name: string;
  readonly email: string | null;
  /** The new password. Undefined keeps the current password, so a new user needs a value. */
  readonly password?: string | undefined;
  readonly enabled: boolean;
  readonly administrator: boolean;
  /** The stations that the user may write. Undefined keeps the current stations; a new user then has no stations. */
  readonly stations?: StationGrant | undefined;
}

/** Creates a user or replaces the fields of an existing user, at the request of an administrator. */
export class PutUser {
  readonly #get: GetUser;
  readonly #add: AddUser;
  readonly #change: ChangeUser;

  constructor(get: GetUser, add: AddUser, change: ChangeUser) {
    this.#get = get;
    this.#add = add;
    this.#change = change;
  }

  /**
   * @param expected the text of the user that is changed (see `userText`); null if the user must not exist; undefined for any state
   * @throws DomainError PRECONDITION_FAILED if the user is not as expected; REQUEST_INVALID if a value breaks a rule or a new user has no password; USER_EXISTS if another
   *   user has the email; STATION_UNKNOWN; AUTH_NOT_ALLOWED if administrators would lock themselves out
   */
  async execute(
    input: PutUserInput,
    principal: Principal,
    caller: Caller,
    expected?: string | null,
  ): Promise<PublicUser & { readonly made: boolean }> {
    const { password, stations, ...fields } = input;
    const known = await this.#find(input.name);
    if (expected !== undefined && (known === undefined) !== (expected === null))
      throw changedInMeantime('user', input.name);
    if (known === undefined) {
      if (password === undefined) throw new DomainError('REQUEST_INVALID', 'A new user needs a password.');
      await this.#add.execute({ ...fields, password, ...(stations !== undefined && { stations }) }, caller);
    } else {
      assertNotLockedOut(known, principal, input.enabled && input.administrator);
      const changes = {
        ...(password !== undefined && { password }),
        ...(stations !== undefined && { stations: { how: 'replace' as const, stations } }),
      };
      await this.#change.execute({ ...fields, ...changes }, caller, expected ?? undefined);
    }
    return { ...(await this.#get.execute(input)), made: known === undefined };
  }

  async #find(name: string): Promise<PublicUser | undefined> {
    try {
      return await this.#get.execute({ name });
    } catch (error) {
      if (isDomainError(error, 'USER_UNKNOWN')) return undefined;
      throw error;
    }
  }
}

/**
 * Administrators must not remove their own rights, because the service could then be without an administrator.
 *
 * @param remains whether `user` is an enabled administrator after the change
 * @throws DomainError AUTH_NOT_ALLOWED
 */
export function assertNotLockedOut(user: PublicUser, principal: Principal, remains: boolean): void {
  if (user.id !== principal.userId || remains) return;
  throw new DomainError('AUTH_NOT_ALLOWED', 'Administrators cannot disable, demote or remove themselves.');
}
