import { targetOf, WeatherdError } from '../../api.js';

/**
 * Sends a file to the service. The browser reads the file while it sends it, so a large file needs no memory. `fetch` reports no
 * progress of the sending.
 *
 * @param onProgress called with the number of sent bytes
 * @returns the id of the import
 * @throws WeatherdError; the reason of `signal`
 */
export function sendFile(
  file: File,
  station: string,
  token: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', targetOf('/v1/imports', { query: { station, filename: file.name } }));
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      const { import: id, error = 'UNREADABLE', message = `${status}` } = parsed(responseText);
      if (status === 202 && id !== undefined) resolve(id);
      else reject(new WeatherdError(message, { code: error, status }));
    });
    request.addEventListener('error', () =>
      reject(new WeatherdError('The connection was lost.', { code: 'UNREACHABLE', status: 0 })),
    );
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

interface SentReply {
  readonly import?: string;
  readonly error?: WeatherdError['code'];
  readonly message?: string;
}

function parsed(text: string): SentReply {
  try {
    return JSON.parse(text) as SentReply;
  } catch {
    return {};
  }
}
