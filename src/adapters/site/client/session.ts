import { computed, signal } from '@preact/signals-core';
import type { Reply } from './api.js';
import { browserClient } from './browser-client.js';

/** A signed-in user. It is in memory only: a new load of the page ends it, and no other script of the browser can read it later. */
export interface Session {
  /** Name or email, as typed. */
  readonly user: string;
  readonly basic: Token;
}

export interface Token {
  readonly text: string;
  /** In ms since 1970, by the clock of the browser. */
  readonly expires: number;
}

/** Gets further rights with a basic token and the password. */
export type Elevate = (basic: Token, password: string) => Promise<unknown>;

const state = signal<Session | undefined>(undefined);
const expired = signal(false);
/** Largest delay of a timer in browsers. */
const MAX_TIMER = 2 ** 31 - 1;

export const session = computed(() => state.value);
/** Whether the last session ended without the user asking for it. */
export const hasExpired = computed(() => expired.value);

/** The token with which the API is read. */
export function bearer(): string | undefined {
  return valid(state.peek()?.basic);
}

/** The text of a token that has not expired. */
export function valid(token: Token | undefined): string | undefined {
  return token !== undefined && token.expires > Date.now() ? token.text : undefined;
}

/**
 * @param user name or email
 * @param prepare called before the session is there, because the page then asks for its data at once
 * @throws WeatherdError
 */
export async function signIn(user: string, password: string, prepare?: Elevate): Promise<void> {
  const identity = user.includes('@') ? { email: user } : { username: user };
  const body = { ...identity, password };
  const basic = toToken(await browserClient(undefined).post('/v1/auth/authenticate/', { body }));
  await prepare?.(basic, password);
  expired.value = false;
  state.value = { user, basic };
  watchExpiry(basic);
}

/** Ends the session here, and its tokens everywhere if the service can be reached. */
export async function signOut(): Promise<void> {
  const token = bearer();
  state.value = undefined;
  if (token === undefined) return;
  const ended = browserClient(token).post('/v1/auth/revoke/', { body: { scope: 'session' } });
  await ended.catch(() => undefined);
}

/** Called when the session has expired or was ended elsewhere. */
export function endSession(): void {
  if (state.peek() === undefined) return;
  expired.value = true;
  state.value = undefined;
}

/** @param listener called when somebody has signed in or the session has ended */
export function onSignInOrOut(listener: () => void): void {
  let token = state.peek()?.basic;
  state.subscribe((now) => {
    if (now?.basic === token) return;
    token = now?.basic;
    listener();
  });
}

/** The lifetime counts from now on, so that a wrong clock of the browser does not matter. */
export function toToken({ token, info }: Pick<Reply<'/v1/auth/elevate/', 'post'>, 'token' | 'info'>): Token {
  return { text: token, expires: Date.now() + info.token_duration * 1000 };
}

function watchExpiry(token: Token): void {
  const wait = Math.max(0, token.expires - Date.now());
  setTimeout(
    () => {
      if (state.peek()?.basic !== token) return;
      if (valid(token) === undefined) endSession();
      else watchExpiry(token);
    },
    Math.min(wait, MAX_TIMER),
  );
}
