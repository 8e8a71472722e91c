import { SECRET_BITS, secretText } from '#domain/secret-text.js';
import type { CredentialStore } from '../../ports/credential-store.js';
import type { Secrets } from '../../ports/secrets.js';
import type { SetupCode } from '../../ports/setup-code.js';
import { digestOf } from './one-time-code.js';

export interface SetupOffer {
  readonly hasAdministrator: boolean;
  /** In groups of four characters; undefined if none is offered or needed. The code must not be kept or logged. */
  readonly code?: string;
}

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
   */
  async execute(isOffered: boolean): Promise<SetupOffer> {
    const hasAdministrator = await this.#users.hasAdministrator();
    if (!isOffered || hasAdministrator) {
      await this.#code.end();
      return { hasAdministrator };
    }
    const secret = secretText(this.#secrets.random(SECRET_BITS / 8));
    await this.#code.open(digestOf(this.#secrets, secret));
    return { hasAdministrator, code: (secret.toUpperCase().match(/.{1,4}/g) ?? []).join('-') };
  }
}
