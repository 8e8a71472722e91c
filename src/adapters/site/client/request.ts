import { ApiError } from './api.js';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly token?: string | undefined;
  /** Conditions of a change, such as `if-match`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A reply with the ETag of its version, if it has one. */
export interface VersionedReply {
  readonly reply: unknown;
  readonly etag: string | null;
}

/** Sends a request of the browser to the API. @returns the JSON of the reply @throws ApiError */
export async function request(sent: ApiRequest): Promise<unknown> {
  return (await requestVersion(sent)).reply;
}

/** As `request`, for a reply that the user may change. @throws ApiError */
export async function requestVersion(sent: ApiRequest): Promise<VersionedReply> {
  const { method = 'GET', path, body, token, headers, signal } = sent;
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw new ApiError('UNREACHABLE', 0, String(error));
  });
  const reply = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  if (response.ok) return { reply, etag: response.headers.get('etag') };
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(reply.error ?? 'UNREACHABLE', response.status, reply.message ?? '', wait);
}
