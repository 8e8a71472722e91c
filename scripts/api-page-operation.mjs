// Writes the description of one operation for the page about the API.
import { escapeText, fieldsOf, inline, limitsOf, shapeOf, typeOf } from './api-page-schema.mjs';

/** Values of path parameters in the examples, for all routes and for the routes of a resource. */
const EXAMPLE_PATH = { id: '1', name: 'grace', overrule: '1', file: '2013-07.txt', month: '2013-07.parquet' };
const EXAMPLE_OF = { stations: { id: 'JFK' }, alarms: { name: 'frost' }, hooks: { name: 'archive' } };
/** Largest number of characters of an example of a reply on the page. The OpenAPI document has longer examples too. */
const MAX_EXAMPLE = 2000;
/** Queries of requests whose replies are not in the document, by method and path. */
const EXAMPLE_QUERY = {
  'GET /v1/stations/{id}/lasting-steps': 'variables=air_pressure_at_mean_sea_level',
  'GET /v1/stations/{id}/indices/air-quality': 'from=2013-07-18&to=2013-07-19',
  'GET /v1/stations/{id}/indices/leaf-wetness': 'from=2013-07-18&to=2013-07-19',
  'GET /v1/stations/{id}/indices/spray': 'from=2013-07-18&to=2013-07-19',
  'GET /v1/stations/{id}/indices/heat-stress': 'from=2013-07-18&to=2013-07-19',
  'GET /v1/events': 'stations=JFK',
  'DELETE /v1/stations/{id}/observations': 'from=2013-07-01&to=2013-07-02&variables=wind_speed&dry_run=true',
};
/** The value of `format` by the media type of the reply. */
const FORMATS = { 'text/csv': 'csv', 'application/geo+json': 'geojson' };

/**
 * Writes the description of an operation as HTML.
 *
 * @param shared errors that the page describes once for all operations, the requests whose replies are in the document, and
 *   functions that write texts
 */
export function article(operation, shared) {
  const { anchor, method, path, summary, description = '', parameters } = operation;
  const [words, who] = splitAccess(description, operation);
  const text = [
    `<p>${inline(words === '' ? `${summary}.` : words)}</p>`,
    `<p class="quiet">For ${who}. <a href="#${anchor}" aria-label="Link to ${method} ${escapeText(path)}">Link</a></p>`,
    table(
      'Parameters',
      parameters.map(({ name, in: place, required, schema }) => [
        name,
        [place, ...(required && place !== 'path' ? ['required'] : []), ...limitsOf(schema)].join(', '),
        schema.description,
      ]),
    ),
    bodyTable(operation),
    ...fields(operation),
    errors(operation, shared.errors),
  ].join('');
  return `<article class="operation"><details><summary><h3><b>${method}</b> <code>${escapeText(path)}</code></h3> <span>${inline(summary)} <i class="found"></i></span></summary>
<div id="${anchor}" class="api-columns"><div>${text}</div><div class="api-reply">${replies(operation, shared)}</div></div></details></article>`;
}

/** Writes a text that a button copies. @param id unique in the page */
export function copied(title, id, text) {
  return `<h4>${title} <button type="button" class="copy" aria-controls="${id}" aria-label="Copy: ${title}" hidden>Copy</button></h4><pre><code id="${id}">${escapeText(text)}</code></pre>`;
}

/** Writes an example of a reply. Long examples are cut. */
export function exampleBlock(example, { formatJson }) {
  const text = typeof example === 'string' ? example.trimEnd() : formatJson(example);
  const isCut = text.length > MAX_EXAMPLE;
  const shown = isCut ? `${text.slice(0, text.lastIndexOf('\n', MAX_EXAMPLE))}\n…` : text;
  return `<pre tabindex="0"><code>${escapeText(shown)}</code></pre>`;
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
  const [sentence = '', who = 'signed-in users'] = /(?:^| )Access: ([^.]*)\.$/.exec(description) ?? [];
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
  const lines = rows.map(([name, type, description = '']) => {
    const words = description === '' ? '' : ` ${inline(description)}`;
    return `<dt>${escapeText(name)}<dd><i>${linked(escapeText(type))}</i>${words}`;
  });
  return `<dl>${lines.join('')}</dl>`;
}

/** Turns the names of objects in a type into links. Names of objects start with a capital letter. */
function linked(type) {
  return type.replace(/(?<=^|list of | or )([A-Z][a-z]\w+)/g, '<a href="#object-$1">$1</a>');
}

/** The fields of the replies, by media type. */
function fields({ responses }) {
  const [, { content = {} }] = successOf(responses);
  return Object.entries(content).map(([type, { schema }]) => {
    const count = schema?.properties === undefined ? 0 : ownFields(schema).length;
    if (count === 0) return '';
    return `<details><summary>Reply <code>${escapeText(type)}</code>: ${count} fields</summary>${fieldList(schema)}</details>`;
  });
}

/** The request and the reply; for each media type of which the document has a reply, a request of its own. */
function replies(operation, shared) {
  const { anchor, operationId, responses } = operation;
  const [status, { content = {} }] = successOf(responses);
  const targets = shared.targets[operationId] ?? [];
  const examples = Object.entries(content).filter(([, { example }]) => example !== undefined);
  if (examples.length === 0)
    return copied('Request', `${anchor}-request`, curl(operation, shared)) + shape(status, content, shared);
  return examples
    .map(([type, { example }], index) => {
      const format = FORMATS[type];
      const target = targets.find((each) => /format=(\w+)/.exec(each)?.[1] === format);
      const request =
        target === undefined ? curl(operation, shared) : shared.curlOf(shared.DOCUMENTED.origin + target);
      const title = examples.length === 1 ? 'Request' : `Request (${format ?? 'json'})`;
      return `${copied(title, `${anchor}-request${index === 0 ? '' : index}`, request)}<h4>Reply ${status} <code>${escapeText(type)}</code></h4>${exampleBlock(example, shared)}`;
    })
    .join('');
}

/** What a reply contains if the document has no example of it: types in place of values. */
function shape(status, content, shared) {
  const [type, { schema = {} } = {}] = Object.entries(content)[0] ?? [];
  if (type === undefined) return `<h4>Reply ${status}</h4><p class="quiet">The reply has no content.</p>`;
  const head = `<h4>Reply ${status} <code>${escapeText(type)}</code></h4>`;
  if (schema.properties === undefined)
    return `${head}<p class="quiet">Text or a file, as the description says.</p>`;
  return `${head}<p class="quiet">Types stand for the values.</p>${exampleBlock(shapeOf(schema), shared)}`;
}

function successOf(responses) {
  return Object.entries(responses).find(([code]) => code < '300');
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

/** A command with each option on a line of its own. */
function curl({ method, path, security, requestBody }, { formatJson, curlOf, DOCUMENTED }) {
  const values = { ...EXAMPLE_PATH, ...EXAMPLE_OF[path.split('/')[2]] };
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => {
    if (!(name in values)) throw new Error(`EXAMPLE_PATH has no value for {${name}} of ${path}.`);
    return values[name];
  });
  const query = EXAMPLE_QUERY[`${method} ${path}`];
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const command = curlOf(`${DOCUMENTED.origin}${filled}${query === undefined ? '' : `?${query}`}`);
  const options = [path === '/v1/events' ? ' -N' : '', method === 'GET' ? '' : ` -X ${method}`].join('');
  const data = typeof body?.example === 'string' ? body.example : formatJson(body?.example ?? null);
  return [
    command.replace('curl', `curl${options}`),
    ...(isOpen(security) ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(type === undefined
      ? []
      : [
          `-H 'Content-Type: ${type}'`,
          body.example === undefined ? '--data-binary @FILE' : `-d '${data.replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ');
}
