import { SECRET_BITS, secretText } from '#domain/secret-text.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { Secrets } from '../../ports/secrets.js';
import type { SetupCode } from '../../ports/setup-code.js';
import { digestOf } from './one-time-code.js';

/** Makes the code for the first administrator, which the service shows to the person who started it. */
export class OpenSetup {
  readonly #secrets: Secrets;
  readonly #users: CredentialStore;
  readonly #code: SetupCode;

  constructor(secrets: Secrets, users: CredentialStore, code: SetupCode) {
    this.#secrets = secrets;
    this.#users = users;
    this.#code = code;
  }

  /**
   * @param isOffered whether the first administrator may be created in the browser. If not, no code is made, and none will be
   *   accepted until the next start
   * @returns the code, in groups of four characters; undefined if none is offered or needed. It must not be kept or logged
   */
  async execute(isOffered: boolean): Promise<string | undefined> {
    if (!isOffered || (await this.#users.hasAdministrator())) {
      await this.#code.end();
      return undefined;
    }
    const secret = secretText(this.#secrets.random(SECRET_BITS / 8));
    await this.#code.open(digestOf(this.#secrets, secret));
    return (secret.toUpperCase().match(/.{1,4}/g) ?? []).join('-');
  }
}
