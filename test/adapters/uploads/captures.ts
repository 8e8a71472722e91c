import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unescape } from 'node:querystring';
import { fileURLToPath } from 'node:url';
import type { ReceivedRequest } from '#adapters/uploads/request/request-head.js';
import { RequestReader } from '#adapters/uploads/request/request-reader.js';

const FOLDER = fileURLToPath(new URL('../../../../test/fixtures/uploads', import.meta.url));

/** The upload key in the paths of the synthetic requests and of the Ecowitt payloads. */
export const KEY = '0123456789abcdefghjkmnpqrs';

/** A request as its sender has sent it. */
export interface Capture {
  readonly title: string;
  readonly text: string;
}

/** All captures, by the name of their golden file. */
export const CAPTURES: Readonly<Record<string, readonly Capture[]>> = {
  weewx: httpFile('weewx-5.4.0.http'),
  ecowitt: ecowittPayloads(),
  synthetic: httpFile('synthetic.http'),
};

export const ALL: readonly Capture[] = Object.values(CAPTURES).flat();

/** Requests below titles with `###`. The last two line feeds separate them from the next title. */
function httpFile(name: string): Capture[] {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.trimEnd().split('\n');
      const content = lines.join('\n');
      const [head = '', body = ''] = content.split('\n\n');
      return { title, text: `${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}` };
    });
}

function ecowittPayloads(): Capture[] {
  const folder = join(FOLDER, 'ecowitt');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => {
    const fields = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string | number>;
    const texts = Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]);
    const form = new URLSearchParams(texts).toString();
    const title = name.replace('.json', '');
    if ('ID' in fields) {
      return { title, text: `GET /weatherstation/updateweatherstation.php?${form} HTTP/1.1\r\n\r\n` };
    }
    const head = `POST /u/${KEY}/data/report/ HTTP/1.1\r\nContent-Length: ${form.length}`;
    return { title, text: `${head}\r\n\r\n${form}` };
  });
}

/** The request of a text. @throws if it is none */
export function requestOf(text: string): ReceivedRequest {
  const request = new RequestReader().push(Buffer.from(text));
  if (typeof request !== 'object') throw new Error(`${String(request)}: ${text}`);
  return request;
}

export function goldenFile(name: string): string {
  return join(FOLDER, 'golden', `${name}.json`);
}

/** All secrets in a capture. */
export function secretsOf(text: string): string[] {
  const found = [
    ...text.matchAll(/\b(?:PASSWORD|PASSKEY|siteAuthenticationKey|wspw|appid|id)=([^&\s]+)/g),
    ...text.matchAll(/"(?:siteAuthenticationKey|device_id|dev_eui)":"([^"]+)"/g),
    ...text.matchAll(/\/u\/(\w+)/g),
  ].map(([, secret = '']) => secret);
  return [...new Set(found.flatMap((secret) => [secret, unescape(secret)]))];
}
