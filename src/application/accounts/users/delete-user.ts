import type { Caller } from '#domain/accounts/audit-event.js';
import type { Principal } from '#domain/accounts/session.js';
import type { GetUser } from './get-user.js';
import { assertNotLockedOut } from './put-user.js';
import type { RemoveUser } from './remove-user.js';

/** Removes a user, at the request of an administrator. */
export class DeleteUser {
  readonly #get: GetUser;
  readonly #remove: RemoveUser;

  constructor(get: GetUser, remove: RemoveUser) {
    this.#get = get;
    this.#remove = remove;
  }

  /** @throws DomainError USER_UNKNOWN; AUTH_NOT_ALLOWED if administrators try to remove themselves */
  async execute(input: { readonly name: string }, principal: Principal, caller: Caller): Promise<void> {
    assertNotLockedOut(await this.#get.execute(input), principal, false);
    await this.#remove.execute(input, caller);
  }
}
