import { signal } from '@preact/signals-core';
import { ApiError } from '../api.js';
import { type ApiRequest, requestVersion, type VersionedReply } from '../request.js';
import { dropElevation, elevatedToken } from '../session.js';

/** A wait for the password of the signed-in user. */
export interface ElevationWish {
  readonly fulfil: (token: string) => void;
  readonly giveUp: () => void;
}

/** The wait that the dialog shows. Several requests share it. */
export const elevationWish = signal<ElevationWish | undefined>(undefined);
let pending: Promise<string> | undefined;

/** The user closed the dialog for the password. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

/**
 * Sends a request with an elevated token, and asks for the password first if there is none or it has expired.
 *
 * @throws ApiError @throws GaveUp
 */
export async function adminRequest<T>(sent: Omit<ApiRequest, 'token'>): Promise<T> {
  return (await adminRequestVersion(sent)).reply as T;
}

/** As `adminRequest`, with the ETag of the reply. */
export async function adminRequestVersion(sent: Omit<ApiRequest, 'token'>): Promise<VersionedReply> {
  for (;;) {
    const token = elevatedToken() ?? (await (pending ??= askForElevation()));
    try {
      return await requestVersion({ ...sent, token });
    } catch (error) {
      const isOver =
        error instanceof ApiError && ['AUTH_ELEVATION_REQUIRED', 'AUTH_TOKEN_INVALID'].includes(error.code);
      if (!isOver) throw error;
      dropElevation(token);
    }
  }
}

function askForElevation(): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    elevationWish.value = { fulfil: resolve, giveUp: () => reject(new GaveUp()) };
  }).finally(() => {
    elevationWish.value = undefined;
    pending = undefined;
  });
}
