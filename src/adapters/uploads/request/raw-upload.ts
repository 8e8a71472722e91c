import { type Pair, readForm, withoutControls } from './form.js';
import type { ReceivedRequest } from './request-head.js';
import { splitUploadTarget } from './upload-target.js';

/** A request with its fields, before its dialect (the protocol of the station) is known. */
export interface RawUpload {
  readonly method: string;
  /** Percent-decoded path, which begins with a slash. */
  readonly path: string;
  /** The upload key of the path (`/u/KEY/`) or of the bearer token. */
  readonly key: string | undefined;
  /** The fields of the query, followed by the fields of the body, in the order in which they were sent. */
  readonly pairs: readonly Pair[];
  /** The fields by name. If a field was sent twice, the last value is used. */
  readonly fields: ReadonlyMap<string, string>;
  /** The parsed body if it is JSON. */
  readonly json: unknown;
  /** Whether the body begins like JSON but is not valid. */
  readonly isBroken: boolean;
  readonly userAgent: string;
}

/** An upload key in a path. Other segments of the path may come before and after the key. */
const PATH_KEY = /(?:^|\/)u\/([^/]{1,128})(?:\/|$)/;
const BEARER = /^Bearer +([\x21-\x7e]{1,128})$/i;

export function readUpload({ method, target, headers, body }: ReceivedRequest): RawUpload {
  const { path, query } = splitUploadTarget(target);
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  const isJson = /^\s*[[{]/.test(text);
  const json = isJson ? parseJson(text) : undefined;
  const pairs = [...readForm(query), ...(isJson ? members(json) : readForm(text))];
  return {
    method,
    path,
    key: PATH_KEY.exec(path)?.[1] ?? BEARER.exec(headers.get('authorization') ?? '')?.[1],
    pairs,
    fields: new Map(pairs),
    json,
    isBroken: isJson && json === undefined,
    userAgent: withoutControls(headers.get('user-agent') ?? ''),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The members of a JSON object that are a text or a number, as fields, because some dialects (protocols of stations) are sent as
 * a form or as JSON.
 */
function members(json: unknown): Pair[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([name, value]): Pair[] =>
    typeof value === 'string' || typeof value === 'number'
      ? [[withoutControls(name), withoutControls(String(value))]]
      : [],
  );
}
