// Writes the page about the API, `/docs`, from the OpenAPI document: HTML without scripts, which uses the style sheet of the site.
import { article, errorsOfAll, fieldList, sharedKey } from './api-page-operation.mjs';
import { escapeText, inline, repeatedObjects, withoutReferences } from './api-page-schema.mjs';

/** Groups of operations in the order of the page. An operation belongs to the first group whose pattern matches its path. */
const GROUPS = [
  ['service', 'The service', /^\/$|^\/v1\/health|openapi/],
  ['sign-in', 'Signing in', /^\/v1\/auth/],
  ['stations', 'Stations', /^\/v1\/(?:variables|stations(?:\/\{id\}(?:\/restore)?)?)$/],
  ['climate', 'Climate', /\/(?:climate|reports)\//],
  ['observations', 'Observations', /observations|events|summaries|wind-rose|derived|lasting-steps|overrules/],
  ['uploads', 'Uploads of weather stations', /upload/],
  ['alarms', 'Alarms', /alarms/],
  ['administration', 'Users and audit trail', /./],
];

/** Writes the page. @param source the OpenAPI document @param files URLs of built files @returns HTML */
export function apiPage(source, files) {
  const objects = repeatedObjects(source);
  const document = withoutReferences(source, objects);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
      anchor: anchorOf(method, path),
      parameters: (operation.parameters ?? []).map(described),
    })),
  );
  const grouped = GROUPS.map(([id, title]) => {
    const isInGroup = ({ path }) => GROUPS.find(([, , pattern]) => pattern.test(path))?.[0] === id;
    return { id, title, operations: operations.filter(isInGroup) };
  });
  const { title, description } = document.info;
  const shared = {
    parameters: sharedParameters(operations),
    errors: errorsOfAll(operations),
    objects: Object.entries(document.components.schemas).filter(([name]) =>
      objects.has(`#/components/schemas/${name}`),
    ),
  };
  return `<!doctype html>
<html lang="en" data-theme="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeText(title)}</title>
<meta name="description" content="${PREVIEW}"><link rel="canonical" href="/docs"><link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="${files['icon.svg']}" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest"><link rel="stylesheet" href="${files.site}"></head>
<body><header></header>
<div class="api"><nav class="api-contents" aria-label="Routes">${grouped.map(contents).join('')}<h2><a href="#objects">Objects of many replies</a></h2></nav>
<main id="content" tabindex="-1"><h1>The API</h1>${notes()}<p>${inline(description)} <a href="/openapi.json">openapi.json</a> contains this page for programs.</p>
<p>The examples call a service on the same machine with the data of <code>weatherd demo</code>. Replace <code>$TOKEN</code> by the
token that <a href="#${anchorOf('post', '/v1/auth/authenticate')}">signing in</a> returns. If a route needs an elevated token, use the token that <a href="#${anchorOf('post', '/v1/auth/elevate')}">elevating</a> returns.
Routes for everybody need no token, unless the service runs with <code>WEATHERD_READ_ACCESS=token</code>. With a token they also return data that only its owner may see.
An error has the form <code>{"success":false,"code":404,"message":"…","error":"STATION_UNKNOWN"}</code>: <code>error</code> is for programs, <code>message</code> for people.
Every route can return ${shared.errors.join(', ')}; each route lists its other errors. The service can also refuse a request before it finds the route, for example if the headers are too large.</p>
${parameterSection(shared.parameters)}${grouped.map((group) => section(group, shared)).join('\n')}
${objectSection(shared.objects)}</main></div></body></html>
`;
}

/** The note for visitors who have chosen another language, by language. The service shows the note of the visitor. */
const NOTES = {
  de: 'Diese Seite gibt es nur auf Englisch.',
  nl: 'Deze pagina is er alleen in het Engels.',
};

function notes() {
  return Object.entries(NOTES)
    .map(([language, note]) => `<p lang="${language}" hidden>${note}</p>`)
    .join('');
}

/** The description of the page for search engines. */
const PREVIEW = 'The HTTP API of weatherd: routes, parameters, replies and examples.';

/** Length of a link to a parameter in characters of HTML. */
const LINK = 40;

/**
 * The parameters that the page describes only once, by key. For these parameters, one description and links to this description
 * are shorter than repeated descriptions.
 */
function sharedParameters(operations) {
  const counts = new Map();
  for (const { parameters } of operations)
    for (const { name, schema } of parameters) {
      const key = sharedKey(name, schema.description);
      counts.set(key, { name, schema, uses: (counts.get(key)?.uses ?? 0) + 1 });
    }
  const isShared = ({ schema: { description = '' }, uses }) =>
    (uses - 1) * (description.length - LINK) > 2 * LINK;
  const found = [...counts].filter(([, parameter]) => isShared(parameter));
  // The anchor of a shared parameter in the page is made from its name, and must be unique. So of several parameters with the
  // same name and different descriptions, only the first is shared.
  const names = found.map(([, { name }]) => name);
  return new Map(found.filter(([, { name }], index) => names.indexOf(name) === index));
}

function parameterSection(parameters) {
  const rows = [...parameters.values()].map(
    ({ name, schema }) => `<dt id="parameter-${name}">${name}<dd>${inline(schema.description)}.`,
  );
  return `<section id="parameters"><h2>Parameters of many routes</h2><dl>${rows.join('')}</dl></section>`;
}

/** The section about objects that occur in several replies. */
function objectSection(objects) {
  const tables = objects.map(([name, schema]) => `<h3 id="object-${name}">${name}</h3>${fieldList(schema)}`);
  return `<section id="objects"><h2>Objects of many replies</h2>${tables.join('')}</section>`;
}

/** The anchor of an operation, which depends only on its route: `GET /v1/stations/{id}` → `get-v1-stations-id`. */
function anchorOf(method, path) {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method, ...(words.length === 0 ? ['root'] : words)].join('-').toLowerCase();
}

/** Moves the description of a parameter into the schema of the parameter. */
function described({ description, schema, ...rest }) {
  return { ...rest, schema: { ...schema, description: description ?? schema.description } };
}

function contents({ id, title, operations }) {
  const links = operations.map(
    ({ anchor, method, path }) => `<li><a href="#${anchor}"><b>${method}</b> ${escapeText(path)}</a>`,
  );
  return `<h2><a href="#${id}">${title}</a></h2><ul>${links.join('')}</ul>`;
}

function section({ id, title, operations }, shared) {
  const articles = operations.map((operation) => article(operation, shared));
  return `<section id="${id}"><h2>${title}</h2>${articles.join('\n')}</section>`;
}
