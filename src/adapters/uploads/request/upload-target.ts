import { decode } from './form.js';

/** The two parts of a request target. */
export interface RequestTarget {
  /** Percent-decoded path, which begins with a slash. */
  readonly path: string;
  /** Query without the question mark; empty if there is none. */
  readonly query: string;
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;
/** Names of fields with which the query of a console can begin. A query without a question mark is recognized by these names. */
const FIRST_FIELDS = /(?:ID|PASSKEY|MAC|stationtype|wsid|siteid)=/;

/**
 * Splits a request target. It repairs the targets of consoles whose firmware omits the slash at the start, the question
 * mark, or both:
 *
 *     ID=K&PASSWORD=x                    no path
 *     api/webhook/x&PASSKEY=A            neither slash nor question mark
 *     /data/report&PASSKEY=A             no question mark
 *     /data/reportPASSKEY=A&tempf=1      no separator
 *     /data/report/tempf=1&PASSKEY=A     a slash as separator
 */
export function splitUploadTarget(target: string): RequestTarget {
  const origin = target.replace(ABSOLUTE_FORM, '');
  const questionAt = origin.indexOf('?');
  if (questionAt !== -1) return parts(origin.slice(0, questionAt), origin.slice(questionAt + 1));
  const queryAt = queryStart(origin);
  return parts(origin.slice(0, queryAt), origin.slice(queryAt));
}

/** The offset of the query in a target without a question mark; the length of the target if there is no query. */
function queryStart(target: string): number {
  const starts = [target.indexOf('&'), target.search(FIRST_FIELDS)].filter((at) => at !== -1);
  const end = Math.min(target.length, ...starts);
  const equalsAt = target.indexOf('=');
  // The query usually starts at `end`, the first `&` or known field name. But if there is an equals sign before `end`, the query
  // starts with another field, and the path ends with the slash before this field: in `/data/report/tempf=1&PASSKEY=A`, the query
  // starts with `tempf`.
  return equalsAt !== -1 && equalsAt < end ? target.lastIndexOf('/', equalsAt) + 1 : end;
}

function parts(path: string, query: string): RequestTarget {
  const decoded = decode(path);
  return { path: decoded.startsWith('/') ? decoded : `/${decoded}`, query };
}
