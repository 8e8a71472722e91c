import { z } from 'zod';
import { schemaFault } from '#adapters/formats/text/schema-fault.js';
import { suggestion } from '#domain/nearest-name.js';
import { ProtocolError } from './errors.js';

/**
 * Replaces the error class of zod. The class does not extend Error, because capturing a stack would be half of the cost of a
 * refusal.
 */
class Faults {
  readonly issues: readonly z.core.$ZodIssue[];

  constructor(issues: readonly z.core.$ZodIssue[]) {
    this.issues = issues;
  }
}

// oxlint-disable-next-line no-underscore-dangle -- zod's function for libraries that need another error class
const safeParse = z.core._safeParse(Faults as unknown as z.core.$ZodErrorClass);

/**
 * Largest number of faults in a reply, so that a body with millions of invalid fields gets a short reply.
 */
const MAX_FAULTS = 50;
/** Largest number of characters of the message. */
const MAX_TEXT = 4000;

/**
 * Parses `value` with `schema`.
 *
 * @param part the part of the request, for the message: `body`, `query`, `path`
 * @throws ProtocolError REQUEST_INVALID with the fields and their faults, without their values
 */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, part: string): T {
  const form = formOf(schema, value);
  const result = safeParse(form, value, { error: schemaFault });
  if (result.success) return result.data;
  const faults = result.error.issues
    .slice(0, MAX_FAULTS)
    .map(
      (issue) =>
        `${fieldOf(issue, part)}: ${isMissing(issue, value) ? required(issue, part) : describe(issue, form)}`,
    );
  // A list in the query may have the same fault several times.
  const text = joined([...new Set(faults)]);
  throw new ProtocolError('REQUEST_INVALID', text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
}

/**
 * Of several accepted forms, the form that has the most fields of `value`, so that the message has the faults of the form that the
 * client means. A schema of one form is returned.
 */
function formOf<T>(schema: z.ZodType<T>, value: unknown): z.ZodType<T> {
  if (!(schema instanceof z.ZodUnion) || typeof value !== 'object' || value === null) return schema;
  const matches = ({ shape }: z.ZodObject) => Object.keys(value).filter((name) => name in shape).length;
  const forms = (schema.options as readonly z.ZodObject[]).toSorted((a, b) => matches(b) - matches(a));
  return forms[0] as unknown as z.ZodType<T>;
}

/** Joins faults with semicolons. A full stop at the end of a fault is left out before a semicolon. */
function joined(faults: readonly string[]): string {
  const last = faults.length - 1;
  return faults.map((fault, index) => (index < last ? fault.replace(/\.$/, '') : fault)).join('; ');
}

/** The path of the field with a fault. A parameter of the query is one text, so the index in its list is no part of its name. */
function fieldOf({ path }: z.core.$ZodIssue, part: string): string {
  const names = part === 'query' ? path.filter((name) => typeof name !== 'number') : path;
  return [part, ...names].join('.');
}

/** The codes of the faults that a missing value has. */
const MISSING: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** Whether a fault means that the request lacks a value. Messages of the schemas themselves are kept. */
function isMissing(issue: z.core.$ZodIssue, value: unknown): boolean {
  const { code, path, message } = issue;
  if (!MISSING.has(code) || message !== schemaFault(issue as z.core.$ZodRawIssue)) return false;
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return false;
    found = (found as Readonly<Record<PropertyKey, unknown>>)[name];
  }
  return found === undefined;
}

/** The message for a missing value, with its choices if only certain values are allowed. */
function required(issue: z.core.$ZodIssue, part: string): string {
  const text = `This ${part === 'query' ? 'parameter' : 'field'} is required.`;
  if (issue.code !== 'invalid_value') return text;
  return `${text} Use ${issue.values.map((choice) => JSON.stringify(choice)).join(' or ')}.`;
}

/** Returns the message of a fault. For an unknown field the message lists the known fields. */
function describe(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  const object = issue.code === 'unrecognized_keys' ? objectAt(schema, issue.path) : undefined;
  if (issue.code !== 'unrecognized_keys' || object === undefined) return issue.message;
  const known = Object.keys(object.shape);
  if (known.length === 0) return `${issue.message}. No fields are known here.`;
  // Only the first unknown names are compared with the known names, because comparing is slow and a body may have many names.
  const compared = issue.keys.slice(0, MAX_FAULTS);
  const nearest = compared.map((key) => suggestion(key, known)).find((text) => text !== '') ?? '';
  return `${issue.message}. The known fields are ${known.join(', ')}.${nearest}`;
}

/** The schema of the object at a path in a value; undefined if the objects on the way are of several forms, or optional. */
function objectAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodObject | undefined {
  let found: unknown = schema;
  for (const name of path) found = found instanceof z.ZodObject ? found.shape[String(name)] : undefined;
  return found instanceof z.ZodObject ? found : undefined;
}
