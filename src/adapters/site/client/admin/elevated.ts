import { WeatherdError } from '../api.js';
import { browserClient } from '../browser-client.js';
import { endSession, session, type Token, toToken, validText } from '../session.js';

/**
 * Elevated tokens, which are issued when a user enters the password again. The key is the basic token, which was issued at the
 * sign-in of the same session.
 */
const elevated = new WeakMap<Token, Token>();

export function elevatedToken(): string | undefined {
  const basic = session.peek()?.basic;
  return basic && validText(elevated.get(basic));
}

/**
 * Requests an elevated token, which is valid for a few minutes.
 *
 * @returns the token @throws WeatherdError
 */
export async function elevate(basic: Token, password: string): Promise<string> {
  try {
    const token = toToken(await browserClient(basic.text).post('/v1/auth/elevate/', { body: { password } }));
    elevated.set(basic, token);
    return token.text;
  } catch (error) {
    if (error instanceof WeatherdError && error.code === 'AUTH_TOKEN_INVALID') endSession();
    throw error;
  }
}

/** Drops an elevated token that the API has refused. */
export function dropElevation(token: string): void {
  const basic = session.peek()?.basic;
  if (basic && elevated.get(basic)?.text === token) elevated.delete(basic);
}
