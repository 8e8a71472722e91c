import { type Api, ApiError } from './api.js';
import { doubtConnection } from './live/connection.js';

/** Reads the API from the browser. @param token gives the bearer token of the signed-in user, if there is one */
export function fetchApi(token: () => string | undefined): Required<Api> {
  const ask = async (path: string, accept: string, signal?: AbortSignal): Promise<Response> => {
    const bearer = token();
    const response = await fetch(path, {
      headers: { accept, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted !== true) doubtConnection();
      throw new ApiError('UNREACHABLE', 0, String(error));
    });
    if (response.ok) return response;
    const body = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
    throw new ApiError(body.error ?? 'UNREACHABLE', response.status, body.message ?? '');
  };
  return {
    read: async (path, signal) => {
      const response = await ask(path, 'application/json', signal);
      return response.json().catch((error: unknown) => {
        throw new ApiError('UNREACHABLE', response.status, String(error));
      });
    },
    file: async (path) => {
      const response = await ask(path, '*/*');
      return response.blob().catch((error: unknown) => {
        throw new ApiError('UNREACHABLE', response.status, String(error));
      });
    },
    stream: async (path, signal) => {
      const { body, status } = await ask(path, 'text/event-stream', signal);
      if (body === null || status !== 200) throw new ApiError('UNREACHABLE', status, '');
      return body;
    },
  };
}
