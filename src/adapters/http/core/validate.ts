import { z } from 'zod';
import { suggestion } from '#domain/nearest-name.js';
import { ProtocolError } from './errors.js';

/** Replaces the error class of zod. It is not an Error, because taking a stack is half of the cost of a refusal. */
class Faults {
  readonly issues: readonly z.core.$ZodIssue[];

  constructor(issues: readonly z.core.$ZodIssue[]) {
    this.issues = issues;
  }
}

// oxlint-disable-next-line no-underscore-dangle -- zod's name for what libraries build their own parsing with
const safeParse = z.core._safeParse(Faults as unknown as z.core.$ZodErrorClass);

/**
 * Largest number of faults in a reply, and below it the largest number of characters. A body with millions of wrong
 * fields gets a short reply too.
 */
const MAX_FAULTS = 50;
const MAX_TEXT = 4000;

/**
 * Parses `value` with `schema`.
 *
 * @param where the part of the request, for the message: `body`, `query`, `path`
 * @throws ProtocolError REQUEST_INVALID with the faults and their places, without quoting values
 */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = safeParse(schema, value);
  if (result.success) return result.data;
  const faults = result.error.issues
    .slice(0, MAX_FAULTS)
    .map((issue) => `${[where, ...issue.path].join('.')}: ${describe(issue, schema)}`);
  const text = faults.join('; ');
  throw new ProtocolError('REQUEST_INVALID', text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
}

/** Adds the known names to the message about an unknown name. */
function describe(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  if (issue.code !== 'unrecognized_keys' || issue.path.length > 0 || !(schema instanceof z.ZodObject)) {
    return issue.message;
  }
  const known = Object.keys(schema.shape);
  if (known.length === 0) return `${issue.message}. There are none.`;
  // Comparing names takes long, and a body may have many.
  const compared = issue.keys.slice(0, MAX_FAULTS);
  const nearest = compared.map((key) => suggestion(key, known)).find((text) => text !== '') ?? '';
  return `${issue.message}. There are ${known.join(', ')}.${nearest}`;
}
