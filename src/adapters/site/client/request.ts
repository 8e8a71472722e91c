import { ApiError } from './api.js';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request of the browser to the API. @returns the JSON of the reply @throws ApiError */
export async function request({ method = 'GET', path, body, token, signal }: ApiRequest): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw new ApiError('UNREACHABLE', 0, String(error));
  });
  const reply = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  if (response.ok) return reply;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(reply.error ?? 'UNREACHABLE', response.status, reply.message ?? '', wait);
}
