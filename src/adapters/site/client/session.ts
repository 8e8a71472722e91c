import { type ReadonlySignal, signal } from '@preact/signals-core';
import type { Reply } from './api.js';
import { browserClient } from './browser-client.js';

/** A signed-in user. The session exists only in the memory of the page. It is not stored, so it ends with the page, also when it is reloaded. */
export interface Session {
  /** Name of the user. */
  readonly user: string;
  readonly administrator: boolean;
  /** The stations whose observations the user may write. */
  readonly stations: Reply<'/v1/session', 'get'>['stations'];
  readonly basic: Token;
}

export interface Token {
  readonly text: string;
  /** Expiry in ms since 1970, by the clock of the browser. */
  readonly expires: number;
}

/**
 * Requests an elevated token, which is needed for changes and is valid for a few minutes. The request needs the password and the
 * basic token, which the user got at sign-in.
 */
export type Elevate = (basic: Token, password: string) => Promise<unknown>;

const state = signal<Session | undefined>(undefined);
const expired = signal(false);
/** Largest delay of a timer in browsers, in ms. */
const MAX_TIMER = 2 ** 31 - 1;

export const session: ReadonlySignal<Session | undefined> = state;
/** Whether the last session ended although the user did not sign out. */
export const hasExpired: ReadonlySignal<boolean> = expired;

/** The basic token, which the user got at sign-in, for requests to the API; undefined without a valid session. */
export function bearerToken(): string | undefined {
  return validText(state.peek()?.basic);
}

/** The text of a token; undefined if the token has expired. */
export function validText(token: Token | undefined): string | undefined {
  return token !== undefined && token.expires > Date.now() ? token.text : undefined;
}

/**
 * Signs a user in.
 *
 * @param identity name or email address
 * @param prepare called for an administrator before the session starts, for example to request an elevated token, which is needed for changes. As soon
 *   as the session starts, the page requests data and may need this token
 * @throws WeatherdError
 */
export async function signIn(identity: string, password: string, prepare?: Elevate): Promise<void> {
  const body = { [identity.includes('@') ? 'email' : 'username']: identity, password };
  const basic = toToken(await browserClient(undefined).post('/v1/auth/authenticate/', { body }));
  const { user, administrator, stations } = await browserClient(basic.text).get('/v1/session');
  if (administrator) await prepare?.(basic, password);
  expired.value = false;
  state.value = { user, administrator, stations, basic };
  watchExpiry(basic);
  addEventListener('pagehide', signOutWithPage);
}

/** Nobody can use the session after its page. A page that the browser keeps for the way back has not ended. */
function signOutWithPage({ persisted: isKept }: PageTransitionEvent): void {
  if (!isKept) void signOut();
}

/** Ends the session in the browser. If the service can be reached, also revokes the tokens of the session. */
export async function signOut(): Promise<void> {
  const token = bearerToken();
  state.value = undefined;
  if (token === undefined) return;
  // The request outlives the page.
  const ended = browserClient(token, true).post('/v1/auth/revoke/', { body: { scope: 'session' } });
  await ended.catch(() => undefined);
}

/** Ends a session that has expired or that the service no longer accepts. */
export function endSession(): void {
  if (state.peek() === undefined) return;
  expired.value = true;
  state.value = undefined;
}

/** Listens for changes of the session. @param listener called after each sign-in and after each end of a session */
export function onSignInOrOut(listener: () => void): void {
  let token = state.peek()?.basic;
  state.subscribe((now) => {
    if (now?.basic === token) return;
    token = now?.basic;
    listener();
  });
}

/**
 * Converts a reply to a token. The expiry is the lifetime of the token after the current time of the browser, because the clock
 * of the service can show another time.
 */
export function toToken({ token, info }: Pick<Reply<'/v1/auth/elevate/', 'post'>, 'token' | 'info'>): Token {
  return { text: token, expires: Date.now() + info.token_duration * 1000 };
}

function watchExpiry(token: Token): void {
  setTimeout(
    () => {
      if (state.peek()?.basic !== token) return;
      if (validText(token)) watchExpiry(token);
      else endSession();
    },
    Math.min(token.expires - Date.now(), MAX_TIMER),
  );
}
