/** A reply to a station. Consoles drop out on long replies, so that a body has at most 40 bytes. */
export interface UploadReply {
  readonly status: number;
  /** ASCII; empty with 204. */
  readonly body: string;
  /** By default plain text. */
  readonly type?: string;
}

/** What a dialect has a reply for. */
export type ReplyReason =
  /** Stored, known already, or waiting for approval. Values that fail quality control are stored too. */
  | 'accepted'
  | 'key'
  /** A time that cannot be stored. */
  | 'invalid'
  /** A request in which the dialect finds nothing to read. */
  | 'unreadable'
  | 'rate'
  /** The store does not answer. */
  | 'unavailable';

export type Replies = Readonly<Record<ReplyReason, UploadReply>>;

export const JSON_TYPE = 'application/json';

/**
 * The replies of a dialect that has none of its own. A 2xx must contain neither a line that begins with `ERROR` nor the word
 * `invalid`: some software then stays silent for an hour.
 */
export const REPLIES: Replies = {
  accepted: { status: 200, body: 'success' },
  key: { status: 401, body: 'unauthorized' },
  invalid: { status: 400, body: 'bad request' },
  unreadable: { status: 400, body: 'bad request' },
  rate: { status: 429, body: 'too many requests' },
  unavailable: { status: 503, body: 'unavailable' },
};

/** Replies to requests that are no upload. */
export const NOT_FOUND: UploadReply = { status: 404, body: 'not found' };
export const METHOD_NOT_ALLOWED: UploadReply = { status: 405, body: 'method not allowed' };
export const TOO_LARGE: UploadReply = { status: 413, body: 'too large' };
export const LENGTH_REQUIRED: UploadReply = { status: 411, body: 'length required' };
export const TIMED_OUT: UploadReply = { status: 408, body: 'timeout' };
/** What a browser shows. */
export const GREETING: UploadReply = { status: 200, body: 'weatherd: weather stations upload here.\n' };
