/** A reply to a station. A body has at most 40 bytes, because consoles fail on long replies. */
export interface UploadReply {
  readonly status: number;
  /** ASCII; empty for status 204. */
  readonly body: string;
  /** Media type; plain text by default. */
  readonly type?: string;
}

/** The results of an upload. Each dialect (protocol of stations) has a reply for each result. */
export type ReplyReason =
  /**
   * The upload was stored, changed nothing, or comes from an unknown sender, who is now in the list of pending senders. Values
   * that fail quality control are stored too.
   */
  | 'accepted'
  | 'key'
  /** The time cannot be stored. */
  | 'invalid'
  /** The request has no values that the dialect (the protocol of the station) knows. */
  | 'unreadable'
  | 'rate'
  /** The store did not answer. */
  | 'unavailable';

export type Replies = Readonly<Record<ReplyReason, UploadReply>>;

export const UPLOAD_JSON_TYPE = 'application/json';

/**
 * The default replies of a dialect, which is a protocol of stations. A reply with status 2xx must contain neither a line that
 * begins with `ERROR` nor the word `invalid`, because some software then sends nothing for an hour.
 */
export const REPLIES: Replies = {
  accepted: { status: 200, body: 'success' },
  key: { status: 401, body: 'unauthorized' },
  invalid: { status: 400, body: 'bad request' },
  unreadable: { status: 400, body: 'bad request' },
  rate: { status: 429, body: 'too many requests' },
  unavailable: { status: 503, body: 'unavailable' },
};

/** Replies to requests that are not uploads. */
export const NOT_FOUND: UploadReply = { status: 404, body: 'not found' };
export const METHOD_NOT_ALLOWED: UploadReply = { status: 405, body: 'method not allowed' };
export const TOO_LARGE: UploadReply = { status: 413, body: 'too large' };
export const LENGTH_REQUIRED: UploadReply = { status: 411, body: 'length required' };
export const TIMED_OUT: UploadReply = { status: 408, body: 'timeout' };
/** The reply to a browser. */
export const GREETING: UploadReply = { status: 200, body: 'weatherd: weather stations upload here.\n' };
