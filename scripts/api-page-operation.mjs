// Writes the description of one operation for the page about the API.
import { escapeText, fieldsOf, inline, limitsOf, typeOf } from './api-page-schema.mjs';

const ORIGIN = 'http://127.0.0.1:8080';
/** Values of path parameters in the examples. The id of a station is not in this list: all examples use the station JFK. */
const EXAMPLE_PATH = { id: '1', name: 'grace', overrule: '1', file: '2013-07.txt' };
/** Largest number of characters of an example of a reply on the page. The OpenAPI document has longer examples too. */
const MAX_EXAMPLE = 700;
/** Queries in the examples, by method and path. */
const EXAMPLE_QUERY = {
  'GET /v1/stations': 'near=40.7,-73.9&radius=30',
  'GET /v1/stations/{id}/observations': 'from=2013-07-01&to=2013-07-02&variables=air_temperature',
  'GET /v1/stations/{id}/observations/latest': 'include=trend,today',
  'GET /v1/observations/latest': 'include=trend,today',
  'GET /v1/observations': 'stations=JFK,LGA&last=24h',
  'GET /v1/summaries': 'stations=JFK,LGA&interval=month&from=2013-01-01&to=2014-01-01',
  'GET /v1/stations/{id}/summaries': 'interval=month&from=2013-01-01&to=2014-01-01',
  'GET /v1/stations/{id}/wind-rose': 'from=2013-07-01&to=2013-08-01',
  'GET /v1/stations/{id}/derived': 'variables=heat_index&from=2013-07-01&to=2013-07-08',
  'GET /v1/stations/{id}/lasting-steps': 'variables=air_pressure_at_mean_sea_level',
  'GET /v1/places': 'bbox=-74.3,40.5,-73.7,40.9',
  'GET /v1/events': 'stations=JFK',
  'DELETE /v1/stations/{id}/observations': 'from=2013-07-01&to=2013-07-02&variables=wind_speed&dry_run=true',
};

/** Key of a parameter. Parameters with the same key have the same name and description. */
export function sharedKey(name, description) {
  return `${name} ${description}`;
}

/**
 * Writes the description of an operation as HTML.
 *
 * @param shared parameters and errors that the page describes once for several operations
 */
export function article(operation, shared) {
  const { anchor, method, path, summary, description = '', parameters } = operation;
  const [words, who] = splitAccess(description, operation);
  return [
    `<article id="${anchor}"><h3><a href="#${anchor}"><b>${method}</b> <code>${escapeText(path)}</code></a></h3><p>${inline(summary)}. ${inline(words)}</p>`,
    `<p class="quiet">For ${who}.</p>`,
    table(
      'Parameters',
      parameters.map(({ name, in: place, required, schema }) => [
        name,
        [place, ...(required && place !== 'path' ? ['required'] : []), ...limitsOf(schema)].join(', '),
        schema.description,
        shared.parameters.has(sharedKey(name, schema.description)),
      ]),
    ),
    bodyTable(operation),
    `<pre><code>${escapeText(curl(operation))}</code></pre>`,
    ...reply(operation),
    errors(operation, shared.errors),
    '</article>',
  ].join('');
}

/** Whether a route can be called without a token: it has no security requirements, or one of them is empty. */
function isOpen(security) {
  return security === undefined || security.some((choice) => Object.keys(choice).length === 0);
}

/**
 * Splits the description of an operation into its text and the users who may call the operation. The last sentence of the
 * description names these users.
 */
function splitAccess(description, { security, responses }) {
  if (isOpen(security)) return [description, 'everybody'];
  const [sentence = '', who = 'signed-in users'] = /(?:^| )For ([^.]*)\.$/.exec(description) ?? [];
  const isElevated = responses['401']?.description.includes('AUTH_ELEVATION_REQUIRED');
  return [
    description.slice(0, description.length - sentence.length),
    `${inline(who)}${isElevated ? ', with an elevated token' : ''}`,
  ];
}

function bodyTable({ requestBody }) {
  const rows = Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
    schema === undefined
      ? [[type, 'body', '']]
      : fieldsOf(schema).map(({ path, schema: field, required }) => [
          path,
          [required ? 'required' : 'optional', ...limitsOf(field)].join(', '),
          field.description,
        ]),
  );
  return table('Body', rows);
}

function table(title, rows) {
  return rows.length === 0 ? '' : `<h4>${title}</h4>${list(rows)}`;
}

function list(rows) {
  const lines = rows.map(([name, type, description = '', isShared = false]) => {
    const shown = escapeText(name);
    const term = isShared ? `<a href="#parameter-${name}">${shown}</a>` : shown;
    const words = isShared || description === '' ? '' : ` ${inline(description)}`;
    return `<dt>${term}<dd><i>${linked(escapeText(type))}</i>${words}`;
  });
  return `<dl>${lines.join('')}</dl>`;
}

/** Turns the names of objects in a type into links. Names of objects start with a capital letter. */
function linked(type) {
  return type.replace(/(?<=^|list of | or )([A-Z][a-z]\w+)/g, '<a href="#object-$1">$1</a>');
}

function reply({ responses }) {
  const [status, { content = {} }] = Object.entries(responses).find(([code]) => code < '300');
  return Object.entries(content).map(([type, { schema, example }]) => {
    const count = schema?.properties === undefined ? 0 : ownFields(schema).length;
    const isShown = example !== undefined && text(example).length <= MAX_EXAMPLE;
    const shown = !isShown ? '' : `<pre><code>${escapeText(text(example))}</code></pre>`;
    const head = `${status} <code>${escapeText(type)}</code>`;
    if (count === 0) return `<p>Reply: ${head}</p>${shown}`;
    return `<details><summary>Reply: ${head}, ${count} fields</summary>${fieldList(schema)}</details>${shown}`;
  });
}

export function fieldList(schema) {
  const rows = ownFields(schema).map(({ path, schema: field }) => [path, typeOf(field), field.description]);
  return list(rows);
}

/** The fields of a reply without `success`, `code` and `message`, which are the same in all replies. */
function ownFields(schema) {
  return fieldsOf(schema).filter(({ path }) => !['success', 'code', 'message'].includes(path));
}

function errors({ responses }, ofAll) {
  const items = errorsOf(responses)
    .map(({ status, codes }) => ({
      status,
      codes: codes.filter((code) => !ofAll.includes(`${status} ${code}`)),
    }))
    .filter(({ codes }) => codes.length > 0)
    .map(({ status, codes }) => `${status} ${codes.join(', ')}`);
  return items.length === 0 ? '' : `<p class="api-errors quiet">Errors: ${items.join(' · ')}</p>`;
}

/** The errors that all operations can return, such as `429 RATE_LIMITED`. */
export function errorsOfAll(operations) {
  const [first, ...others] = operations.map(({ responses }) =>
    errorsOf(responses).flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`)),
  );
  return first.filter((error) => others.every((listed) => listed.includes(error)));
}

/** The error codes of an operation, by status. In the OpenAPI document, the description of a status is a list of error codes. */
function errorsOf(responses) {
  return Object.entries(responses)
    .filter(([status]) => status >= '400' && status !== 'default')
    .map(([status, { description }]) => ({ status, codes: escapeText(description).split(', ') }));
}

function curl({ method, path, security, requestBody }) {
  const inStations = path.startsWith('/v1/stations/');
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) =>
    name === 'id' && inStations ? 'JFK' : EXAMPLE_PATH[name],
  );
  const query = EXAMPLE_QUERY[`${method} ${path}`];
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `'${ORIGIN}${filled}${query === undefined ? '' : `?${query}`}'`,
    ...(isOpen(security) ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(type === undefined
      ? []
      : [
          `-H 'Content-Type: ${type}'`,
          body.example === undefined ? '--data-binary @FILE' : `-d '${text(body.example)}'`,
        ]),
  ].join(' ');
}

function text(example) {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
