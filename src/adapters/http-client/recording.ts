import type { RecordedExchange } from '#application/ports/delivery.js';
import { shortened } from '#domain/shortened.js';
import type { SecretPatterns } from './secret-patterns.js';

/** Largest number of characters of a request or a reply that are shown. */
const MAX_SHOWN = 4096;
/** C0 and C1 control characters except tabs and ends of lines. They could change what a terminal shows. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g; // oxlint-disable-line no-control-regex

/** A request or a reply of HTTP. */
interface HttpMessage {
  /** `GET https://example.org/upload?t=1`, `200`. */
  readonly start: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** Writes a message as text for people: the first line, the headers, an empty line and the body. */
export function httpText({ start, headers = {}, body }: HttpMessage): string {
  const lines = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (body === undefined || body.length === 0) return lines.join('\n');
  const text =
    typeof body === 'string' ? body : `(${body.length} ${body.length === 1 ? 'byte' : 'bytes'} of a file)`;
  return [...lines, '', text].join('\n');
}

/** A request and its reply with the secrets masked, shortened. The secrets are masked first, so that none is cut in two. */
export function recordedExchange(sent: string, received: string, secrets: SecretPatterns): RecordedExchange {
  const shown = (text: string) => {
    const masked = secrets.text(text).replaceAll(/\r\n/g, '\n').replaceAll(CONTROLS, '�').trim();
    return shortened(masked, MAX_SHOWN);
  };
  return { sent: shown(sent), received: shown(received) };
}
