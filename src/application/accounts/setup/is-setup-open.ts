import { isDomainError } from '#domain/domain-error.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { SetupCode } from '../../ports/setup-code.js';

/** Tells whether the first administrator can be made in the browser now. */
export class IsSetupOpen {
  readonly #users: CredentialStore;
  readonly #code: SetupCode;

  constructor(users: CredentialStore, code: SetupCode) {
    this.#users = users;
    this.#code = code;
  }

  /** @returns false also while the store cannot be read, because each page asks */
  async execute(): Promise<boolean> {
    try {
      if ((await this.#code.state()) !== 'open') return false;
      if (!(await this.#users.hasAdministrator())) return true;
      await this.#code.end();
      return false;
    } catch (error) {
      if (isDomainError(error)) return false;
      throw error;
    }
  }
}
