import type { z } from 'zod';

/** What a value must be, by the name of the type in zod. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
};

/** What a text must be, by the name of the format in zod. */
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2024-02-29T12:00:00Z',
  date: 'a date such as 2024-02-29',
  time: 'a time of day such as 12:00:00',
  url: 'a URL such as https://example.org/path',
  email: 'an e-mail address',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/** The noun for what is counted in a value that is too short or too long, by the type of the value. */
const COUNTED: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'element',
  set: 'element',
  map: 'element',
  file: 'byte',
};

const MUST = 'Must be ';

/**
 * The rule that a value breaks, for schemas that give no message of their own: `Must be at least 1`. Pass it as `error` when a
 * schema parses a value that comes from a person or a client. The messages of zod contain signs and words of programs.
 */
export function schemaFault(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${MUST}${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `${MUST}${choiceOf(issue.values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))))}`;
    case 'too_small': {
      const { origin, minimum, inclusive, exact } = issue;
      const noun = COUNTED[origin];
      if (noun === undefined) return `${MUST}${inclusive === false ? 'greater than' : 'at least'} ${minimum}`;
      if (exact !== true && Number(minimum) === 1) return 'Must not be empty';
      return `Must have ${exact === true ? 'exactly' : 'at least'} ${countOf(Number(minimum), noun)}`;
    }
    case 'too_big': {
      const { origin, maximum, inclusive, exact } = issue;
      const noun = COUNTED[origin];
      if (noun === undefined) return `${MUST}${inclusive === false ? 'less than' : 'at most'} ${maximum}`;
      return `Must have ${exact === true ? 'exactly' : 'at most'} ${countOf(Number(maximum), noun)}`;
    }
    case 'invalid_format':
      if (issue.format === 'regex') return `Must match the pattern ${String(issue['pattern'])}`;
      return `${MUST}${FORMATS[issue.format] ?? `of the format ${issue.format}`}`;
    case 'not_multiple_of':
      return `${MUST}a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `Unrecognized key${issue.keys.length > 1 ? 's' : ''}: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'invalid_key':
      return `Has a name that is not allowed: ${issue.issues[0]?.message ?? 'is not valid'}`;
    case 'invalid_element':
      return `Has an element that is not allowed: ${issue.issues[0]?.message ?? 'is not valid'}`;
    case 'invalid_union':
      return unionFault(issue.errors);
    default:
      return 'Is not valid';
  }
}

/** The rule of a value that may have several forms, from the faults of each form. */
function unionFault(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const rules = errors.map(([issue]) => (issue?.path.length === 0 ? issue.message : ''));
  if (rules.length === 0 || !rules.every((rule) => rule.startsWith(MUST)))
    return 'Has none of the accepted forms';
  return `${MUST}${choiceOf([...new Set(rules.map((rule) => rule.slice(MUST.length)))])}`;
}

function choiceOf(texts: readonly string[]): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
