import { signal } from '@preact/signals-core';
import { WeatherdError } from '../api.js';
import type { Requests } from '../../../../../clients/typescript/src/requests.js';
import { browserClient } from '../browser-client.js';
import { bearerToken, endSession } from '../session.js';
import { dropElevation, elevatedToken } from './elevated.js';

/** A question for the password of the signed-in user. Requests wait until the user answers or cancels. */
export interface PasswordQuestion {
  readonly resolve: (token: string) => void;
  readonly cancel: () => void;
}

/** The open question for the password, which the dialog shows. Several requests share one question. */
export const passwordQuestion = signal<PasswordQuestion | undefined>(undefined);
let pending: Promise<string> | undefined;

/** Error: the user has closed the password dialog. */
export class PasswordCanceled extends Error {
  override readonly name = 'PasswordCanceled';
}

/** A function that sends one or more requests with the given client. */
export type SendRequest<T> = (api: Requests) => Promise<T>;

/**
 * Sends a request with an elevated token, which is issued after the user has entered the password again. If there is no valid
 * elevated token, the function first asks for the password.
 *
 * @throws WeatherdError
 * @throws PasswordCanceled
 */
export async function adminRequest<T>(send: SendRequest<T>): Promise<T> {
  for (;;) {
    const token = elevatedToken() ?? (await (pending ??= askForElevation()));
    try {
      return await send(browserClient(token));
    } catch (error) {
      const isOver =
        error instanceof WeatherdError &&
        ['AUTH_ELEVATION_REQUIRED', 'AUTH_TOKEN_INVALID'].includes(error.code);
      if (!isOver) throw error;
      dropElevation(token);
    }
  }
}

/**
 * Sends a request that every signed-in user may send, with the token of the sign-in. If the session has ended, the function first asks
 * for the password.
 *
 * @throws WeatherdError
 * @throws PasswordCanceled
 */
export async function userRequest<T>(send: SendRequest<T>): Promise<T> {
  for (;;) {
    try {
      return await send(browserClient(bearerToken));
    } catch (error) {
      if (!(error instanceof WeatherdError) || error.code !== 'AUTH_TOKEN_INVALID') throw error;
      endSession();
      await (pending ??= askForElevation());
    }
  }
}

function askForElevation(): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    passwordQuestion.value = { resolve: resolve, cancel: () => reject(new PasswordCanceled()) };
  }).finally(() => {
    passwordQuestion.value = undefined;
    pending = undefined;
  });
}
