// Reads schemas of the OpenAPI document for the page about the API.

/** Marks the schema of an object that has its own section on the page. The value is the name of the object. */
const OBJECT = Symbol('object');
const ESCAPED = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for the content of an element, but not for attributes. */
export function escapeText(words) {
  return String(words).replace(/[&<>]/g, (character) => ESCAPED[character]);
}

/** Escapes text, and converts `code` in backticks to an element. */
export function inline(words) {
  return escapeText(words).replace(/`([^`]*)`/g, '<code>$1</code>');
}

/**
 * The fields of an object and of its inner objects, such as `stations[].id`. The fields of objects with their own section are left
 * out.
 *
 * @returns path and schema of each field, and whether it is required
 */
export function fieldsOf(schema, prefix = '') {
  const required = new Set(schema.required ?? []);
  const additional = schema.additionalProperties;
  // `*` stands for all other names, for example for names of variables.
  const named = { ...schema.properties, ...(typeof additional === 'object' && { '*': additional }) };
  return Object.entries(named).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const [inner, suffix] = innerOf(field);
    return [
      { path, schema: field, required: required.has(name) },
      ...(inner === undefined || inner[OBJECT] !== undefined ? [] : fieldsOf(inner, `${path}${suffix}`)),
    ];
  });
}

/**
 * Finds the object in a field, or in the list of objects in a field.
 *
 * @returns the object, and the text between the path of the field and the path of an inner field: `.` for an object, `[].` for a
 *   list. The object is undefined if the field contains no object.
 */
function innerOf(field) {
  const real = (field.anyOf ?? [field]).find(({ type }) => type === 'object' || type === 'array');
  if (real?.type === 'array') {
    const [inner, suffix] = innerOf(real.items ?? {});
    return [inner, `[]${suffix}`];
  }
  return real === undefined ? [undefined, ''] : [real, '.'];
}

/** The type of a value as text, such as `text or null`. */
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

/** An object with the fields of a schema, whose values are their types. */
export function shapeOf(schema) {
  const real = schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema;
  if (real.type === 'array') return [shapeOf(real.items ?? {})];
  const fields = Object.entries(real.properties ?? {});
  if (real.type !== 'object' || fields.length === 0) return real.const ?? typeOf(schema);
  return Object.fromEntries(fields.map(([name, field]) => [name, shapeOf(field)]));
}

/** The type and the limits of an input, each as a text. */
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
 * Replaces each `$ref` in the document by its target. A reference inside its own target becomes an empty schema.
 *
 * @param objects references whose targets are marked with their names
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

/** References to the schemas of objects that occur several times in the document. */
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
