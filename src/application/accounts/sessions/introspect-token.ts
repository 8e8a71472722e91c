import { BASIC_TOKEN_LEVEL } from '#domain/accounts/access-token.js';
import type { Principal } from '#domain/accounts/session.js';
import { isDomainError } from '#domain/domain-error.js';
import type { Authorize } from './authorize.js';

/** Checks whether a token is valid, and finds its user. */
export class IntrospectToken {
  readonly #authorize: Authorize;

  constructor(authorize: Authorize) {
    this.#authorize = authorize;
  }

  /** @returns undefined for every invalid token, whatever the reason */
  async execute(input: { readonly token: string }): Promise<Principal | undefined> {
    try {
      return await this.#authorize.execute({
        token: input.token,
        level: BASIC_TOKEN_LEVEL,
        role: 'reader',
      });
    } catch (error) {
      if (isDomainError(error, 'AUTH_TOKEN_INVALID')) return undefined;
      throw error;
    }
  }
}
