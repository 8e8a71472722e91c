import type { IncomingMessage } from 'node:http';
import type { UploadReceiver } from '../receiver.js';
import { TOO_LARGE, type UploadReply } from '../upload-reply.js';
import { MAX_REQUEST } from '../request/request-reader.js';
import { uploadReplyHeaders } from './reply-text.js';

/** The paths of all dialects (protocols of stations): for each path its name in the log, and the expression that matches it. */
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
  /** Largest body in bytes. */
  readonly limit: number;
  /** Receives an upload. Never rejects. @param body undefined if the body is too large */
  receive(message: HttpMessage, body: Buffer | undefined, client: string): Promise<HttpReply>;
}

type HttpMessage = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * Recognizes uploads by their path, for a server that parses requests itself.
 *
 * @returns a function that returns the upload for a request target; undefined for other targets
 */
export function httpUploads(
  receiver: Pick<UploadReceiver, 'execute'>,
): (target: string) => HttpUpload | undefined {
  const receive: HttpUpload['receive'] = async (message, body, client) => {
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
    return route === undefined ? undefined : { route, limit: MAX_REQUEST, receive };
  };
}

function toReply(reply: UploadReply, { method }: HttpMessage): HttpReply {
  const hasBody = method !== 'HEAD' && reply.status !== 204;
  return { status: reply.status, headers: uploadReplyHeaders(reply), body: hasBody ? reply.body : undefined };
}
