import { decode } from './form.js';

/** A request target in two parts. */
export interface RequestTarget {
  /** Percent-decoded. It begins with a slash. */
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly query: string;
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;
/** Names of fields with which a query begins that lacks its question mark. */
const FIRST_FIELDS = /(?:ID|PASSKEY|MAC|stationtype|wsid|siteid)=/;

/**
 * Splits a request target. It repairs the targets of consoles whose firmware forgets the slash at the beginning, the question
 * mark, or both:
 *
 *     ID=K&PASSWORD=x                    no path
 *     api/webhook/x&PASSKEY=A            neither slash nor question mark
 *     /data/report&PASSKEY=A             no question mark
 *     /data/reportPASSKEY=A&tempf=1      the same without any separator
 *     /data/report/tempf=1&PASSKEY=A     the same behind a slash
 */
export function splitUploadTarget(target: string): RequestTarget {
  const origin = target.replace(ABSOLUTE_FORM, '');
  const questionAt = origin.indexOf('?');
  if (questionAt !== -1) return parts(origin.slice(0, questionAt), origin.slice(questionAt + 1));
  const queryAt = queryStart(origin);
  return parts(origin.slice(0, queryAt), origin.slice(queryAt));
}

/** Where the query begins in a target without a question mark; the length of the target if there is no query. */
function queryStart(target: string): number {
  const found = [target.indexOf('&'), target.search(FIRST_FIELDS)].filter((at) => at !== -1);
  const end = Math.min(target.length, ...found);
  const equalsAt = target.indexOf('=');
  // Before `end` there is a field already. Its name begins behind the last slash.
  return equalsAt !== -1 && equalsAt < end ? target.lastIndexOf('/', equalsAt) + 1 : end;
}

function parts(path: string, query: string): RequestTarget {
  const decoded = decode(path);
  return { path: decoded.startsWith('/') ? decoded : `/${decoded}`, query };
}
