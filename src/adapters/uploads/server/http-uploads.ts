import type { IncomingMessage } from 'node:http';
import type { UploadReceiver } from '../receiver.js';
import { TOO_LARGE, type UploadReply } from '../reply.js';
import { MAX_REQUEST } from '../request/request-reader.js';
import { replyHeaders } from './reply-text.js';

/** The paths of all dialects, as shown in the log, each with the expression that finds it. */
const PATHS: readonly (readonly [route: string, path: RegExp])[] = [
  ['/weatherstation/updateweatherstation', /^\/weatherstation\/updateweatherstation(?:\.php|\.asp)?$/],
  ['/pwsupdate/pwsupdate.php', /^\/pwsupdate\/pwsupdate\.php$/],
  ['/automaticreading', /^\/automaticreading$/],
  ['/api/v2/send', /^\/api\/v2\/send$/],
  ['/api/v2/send/wow', /^\/api\/v2\/send\/wow$/],
  ['/data/report/', /^\/data\/report\/?$/],
  ['/data/upload.php', /^\/data\/upload\.php$/],
  ['/u/{key}/', /^\/u\/[^/]+(?:\/.*)?$/],
];

export interface HttpUpload {
  readonly route: string;
  /** Never rejects. */
  receive(message: IncomingMessage, client: string): Promise<HttpReply>;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * The paths of the dialects on a server that has parsed the request itself.
 *
 * @returns a function that finds the upload of a target; undefined for a target of anything else
 */
export function httpUploads(
  receiver: Pick<UploadReceiver, 'execute'>,
): (target: string) => HttpUpload | undefined {
  const receive = async (message: IncomingMessage, client: string): Promise<HttpReply> => {
    const body = await readBody(message);
    if (body === undefined) return toReply(TOO_LARGE, message);
    const headers = new Map(
      Object.entries(message.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      ),
    );
    const { method = '', url: target = '' } = message;
    const { reply } = await receiver.execute({ method, target, headers, body }, client, true);
    return toReply(reply, message);
  };
  return (target) => {
    const path = target.split('?', 1)[0] ?? '';
    const route = PATHS.find(([, expression]) => expression.test(path))?.[0];
    return route === undefined ? undefined : { route, receive };
  };
}

function toReply(reply: UploadReply, { method }: IncomingMessage): HttpReply {
  const hasBody = method !== 'HEAD' && reply.status !== 204;
  return { status: reply.status, headers: replyHeaders(reply), body: hasBody ? reply.body : undefined };
}

/** The body; undefined if it is too large. Of a body that is cut off, the part that has arrived: there is no reply to it. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  return await new Promise((resolve) => {
    message.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_REQUEST) chunks.push(chunk);
      else resolve(undefined);
    });
    message.on('end', () => resolve(Buffer.concat(chunks)));
    message.on('close', () => resolve(undefined));
  });
}
