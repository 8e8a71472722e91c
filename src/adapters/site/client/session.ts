import { computed, signal } from '@preact/signals-core';
import { ApiError } from './api.js';
import { request } from './request.js';

/** A signed-in user. It is in memory only: a new load of the page ends it, and no other script of the browser can read it later. */
export interface Session {
  /** Name or email, as typed. */
  readonly user: string;
  readonly basic: Token;
  /** For what needs the password again: administration. */
  readonly elevated?: Token;
}

interface Token {
  readonly text: string;
  /** In ms since 1970, by the clock of the browser. */
  readonly expires: number;
}

interface TokenReply {
  readonly token: string;
  readonly info: { readonly token_duration: number };
}

const state = signal<Session | undefined>(undefined);
const expired = signal(false);
/** Largest delay of a timer in browsers. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const session = computed(() => state.value);
/** Whether the last session ended without the user asking for it. */
export const hasExpired = computed(() => expired.value);

/** The token with which the API is read. */
export function bearer(): string | undefined {
  return valid(state.peek()?.basic);
}

export function elevatedToken(): string | undefined {
  return valid(state.peek()?.elevated);
}

function valid(token: Token | undefined): string | undefined {
  return token !== undefined && token.expires > Date.now() ? token.text : undefined;
}

/**
 * @param user name or email
 * @param elevates whether the same password gives the rights of administration at once
 * @throws ApiError
 */
export async function signIn(user: string, password: string, elevates: boolean): Promise<void> {
  const identity = user.includes('@') ? { email: user } : { username: user };
  const body = { ...identity, password };
  const basic = toToken(await request({ method: 'POST', path: '/v1/auth/authenticate/', body }));
  // Before the session is there, because the page then asks for its data at once.
  const elevated = elevates ? await elevatedOf(basic, password) : undefined;
  expired.value = false;
  state.value = { user, basic, ...(elevated !== undefined && { elevated }) };
  watchExpiry(basic);
}

/**
 * Gets an elevated token of the session for a few minutes.
 *
 * @returns the token @throws ApiError
 */
export async function elevate(password: string): Promise<string> {
  const current = state.peek();
  if (current === undefined) throw new ApiError('AUTH_TOKEN_INVALID', 401, '');
  try {
    const elevated = await elevatedOf(current.basic, password);
    if (state.peek() === current) state.value = { ...current, elevated };
    return elevated.text;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'AUTH_TOKEN_INVALID') endSession();
    throw error;
  }
}

async function elevatedOf(basic: Token, password: string): Promise<Token> {
  const sent = { method: 'POST', path: '/v1/auth/elevate/', body: { password } } as const;
  return toToken(await request({ ...sent, token: basic.text }));
}

/** Forgets an elevated token that the API refuses. */
export function dropElevation(token: string): void {
  const current = state.peek();
  if (current?.elevated?.text === token) state.value = { user: current.user, basic: current.basic };
}

/** Ends the session here, and its tokens everywhere if the service can be reached. */
export async function signOut(): Promise<void> {
  const token = bearer();
  state.value = undefined;
  if (token === undefined) return;
  const sent = { method: 'POST', path: '/v1/auth/revoke/', body: { scope: 'session' } } as const;
  await request({ ...sent, token }).catch(() => undefined);
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
function toToken(reply: unknown): Token {
  const { token, info } = reply as TokenReply;
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
    Math.min(wait, LONGEST_TIMER),
  );
}
