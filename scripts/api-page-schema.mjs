// Reads schemas of the OpenAPI document for the page about the API.

/** Marks the schema of an object that has a section of its own, with its name. */
const OBJECT = Symbol('object');
const ESCAPED = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** For the content of elements, not for attributes. */
export function escapeText(words) {
  return String(words).replace(/[&<>]/g, (character) => ESCAPED[character]);
}

/** Text in which `code` is marked as in the document. */
export function inline(words) {
  return escapeText(words).replace(/`([^`]*)`/g, '<code>$1</code>');
}

/**
 * The fields of an object and of the objects in it: `stations[].id`. Objects with a section of their own keep their fields there.
 *
 * @returns each with its path, its schema, and whether it is required
 */
export function fieldsOf(schema, prefix = '') {
  const required = new Set(schema.required ?? []);
  const others = schema.additionalProperties;
  // `*` stands for every other name, such as those of variables.
  const named = { ...schema.properties, ...(typeof others === 'object' && { '*': others }) };
  return Object.entries(named).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const [inner, suffix] = innerOf(field);
    return [
      { path, schema: field, required: required.has(name) },
      ...(inner === undefined || inner[OBJECT] !== undefined ? [] : fieldsOf(inner, `${path}${suffix}`)),
    ];
  });
}

/** The object within a field, and what its path adds. */
function innerOf(field) {
  const real = (field.anyOf ?? [field]).find(({ type }) => type === 'object' || type === 'array');
  if (real?.type === 'array') {
    const [inner, suffix] = innerOf(real.items ?? {});
    return [inner, `[]${suffix}`];
  }
  return real === undefined ? [undefined, ''] : [real, '.'];
}

/** The type of a value in words: `text or null`. */
export function typeOf({ type, anyOf, oneOf, const: fixed, enum: values, items, format, [OBJECT]: object }) {
  if (object !== undefined) return object;
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (values !== undefined) return values.map(String).join(' | ');
  if (anyOf !== undefined || oneOf !== undefined) {
    return [...new Set((anyOf ?? oneOf).map(typeOf))].join(' or ');
  }
  if (Array.isArray(type)) return type.map((name) => typeOf({ type: name })).join(' or ');
  if (type === 'array') return `list of ${typeOf(items ?? {})}`;
  if (type === 'string') return format === 'date-time' ? 'time (UTC)' : 'text';
  return { integer: 'whole number', boolean: 'true | false' }[type] ?? type ?? 'any';
}

/** The type of an input with its limits. */
export function limitsOf(schema) {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, maxItems } = inner;
  const isReal = (bound) => bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
  return [
    typeOf(schema),
    ...(isReal(minimum) ? [`at least ${minimum}`] : []),
    ...(isReal(exclusiveMinimum) ? [`above ${exclusiveMinimum}`] : []),
    ...(isReal(maximum) ? [`at most ${maximum}`] : []),
    ...(minLength > 1 ? [`at least ${minLength} characters`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(schema.default === undefined || schema.default === null || typeof schema.default === 'object'
      ? []
      : [`default ${schema.default === '' ? 'empty' : schema.default}`]),
  ];
}

/**
 * The document with the target of each `$ref` in its place. A reference within its own target becomes an empty schema.
 *
 * @param objects paths of references whose target is marked by its name
 */
export function withoutReferences(document, objects) {
  const resolve = (value, within) => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, within));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, ...rest } = value;
    if (reference === undefined)
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolve(field, within)]));
    if (within.includes(reference)) return {};
    const target = reference
      .slice(2)
      .split('/')
      .reduce((part, name) => part[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    const found = { ...resolve(target, [...within, reference]), ...resolve(rest, within) };
    return objects.has(reference) ? { ...found, [OBJECT]: reference.split('/').at(-1) } : found;
  };
  return resolve(document, []);
}

/** References to the schemas of objects that the document has in several places. */
export function repeatedObjects(document) {
  const counts = new Map();
  JSON.stringify(document, (name, value) => {
    if (name === '$ref') counts.set(value, (counts.get(value) ?? 0) + 1);
    return value;
  });
  const schemas = Object.entries(document.components?.schemas ?? {});
  return new Set(
    schemas
      .filter(([, { type }]) => type === 'object')
      .map(([name]) => `#/components/schemas/${name}`)
      .filter((reference) => counts.get(reference) > 1),
  );
}
