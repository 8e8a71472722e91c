import { DomainError } from '../domain-error.js';
import { nearestName } from '../nearest-name.js';
import { quoted } from '../quoted.js';

/** The parts of a message for people that a template can contain: `{{station.name}} {{text}}`. */
export const TEMPLATE_FIELDS = [
  'title',
  'text',
  'station.name',
  'station.id',
  'alarm',
  'event',
  'id',
  'link',
] as const;

/** Largest number of characters of a template. */
export const MAX_TEMPLATE = 8000;
const PLACE = /\{\{([^{}]*)\}\}/g;

/** A body with its media type. */
export interface FilledBody {
  readonly body: string;
  readonly contentType: string;
}

/**
 * Checks a template. A template that begins with `{` or `[` is JSON, and its places are in texts of the JSON.
 *
 * @throws DomainError REQUEST_INVALID for an unknown field, broken JSON, or a size beyond the limit
 */
export function acceptTemplate(template: string): string {
  if (template.trim() === '' || template.length > MAX_TEMPLATE)
    throw invalid(`A body template has 1 to ${MAX_TEMPLATE} characters.`);
  const fields: readonly string[] = TEMPLATE_FIELDS;
  for (const [, text = ''] of template.matchAll(PLACE)) {
    const name = text.trim();
    if (fields.includes(name)) continue;
    const nearest = nearestName(name, fields);
    throw invalid(
      `There is no field ${quoted(`{{${name}}}`)}.${nearest === undefined ? '' : ` Did you mean {{${nearest}}}?`} ` +
        `The fields are: ${fields.join(', ')}.`,
    );
  }
  if (isJson(template) && !isParsed(template.replaceAll(PLACE, 'x')))
    throw invalid(
      'The body template begins like JSON, but it is not JSON. Each {{field}} is inside of quotation marks: {"text": "{{text}}"}.',
    );
  return template;
}

/** Fills an accepted template. In JSON, the values are escaped. A field without a value is empty. */
export function fillTemplate(template: string, fields: Readonly<Record<string, string>>): FilledBody {
  const json = isJson(template);
  const body = template.replaceAll(PLACE, (_place, name: string) => {
    const value = fields[name.trim()] ?? '';
    return json ? JSON.stringify(value).slice(1, -1) : value;
  });
  return { body, contentType: json ? 'application/json' : 'text/plain; charset=utf-8' };
}

function isJson(template: string): boolean {
  return /^\s*[[{](?!\{)/.test(template);
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
