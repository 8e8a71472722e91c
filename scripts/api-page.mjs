// Writes the page about the API, `/docs`, from the OpenAPI document. The page is complete without scripts; `client/docs/` adds the
// search, the buttons that copy, and the panel in which visitors try requests.
import { readFileSync } from 'node:fs';
import { article, copied, errorsOfAll, exampleBlock, fieldList } from './api-page-operation.mjs';
import { escapeText, inline, repeatedObjects, withoutReferences } from './api-page-schema.mjs';

/**
 * Tags of the document in the order of the page, each with the operations that come first. Weather comes first. Tags that are not
 * in this list come before the last two.
 */
const GROUPS = {
  Observations: [
    'getStationObservationsLatest',
    'getObservationsLatest',
    'getStationObservations',
    'getObservations',
    'getEvents',
  ],
  Summaries: ['getStationSummaries', 'getSummaries'],
  Climate: ['getStationClimateUsual', 'getStationClimateNormals', 'getStationClimateMonths'],
  Stations: ['getStations', 'getStation', 'getStationNow'],
  'Quality control': [],
  Uploads: [],
  Alarms: [],
  Hooks: [],
  Users: [],
};
const LAST_GROUPS = { Service: [], 'Sign-in': ['authenticate'] };

/** The requests that most front-ends need, each with its first example. */
const START = [
  [
    'getStations',
    'Which stations are there?',
    'The list has the id, the name, the place and the time zone of each station.',
  ],
  [
    'getStationObservationsLatest',
    'What is the weather now?',
    'The newest value of each variable, with its time and the verdict of quality control. `include=rain` adds the sums of the month and the year; `today` and `trend` add the extremes of the day and the trends.',
  ],
  [
    'getStationObservations',
    'How did the day go?',
    'Columns of values for a chart. For a station that reports now, write `last=24h` in place of `from` and `to`. `points` keeps long spans short.',
  ],
  [
    'getStationSummaries',
    'What were the means and extremes of each day?',
    '`interval` can be an hour, a day, a week, a month or a year. A date is a day in the time zone of the station.',
  ],
  [
    'getStationClimateUsual',
    'Is this usual for the date?',
    'The 10th, 50th and 90th percentile of the dates in all years. They are `null` until the station has five years, as here. The other routes of the climate have normals, records and indices.',
  ],
];

/**
 * Writes the page.
 *
 * @param source the OpenAPI document
 * @param files URLs of built files
 * @param texts functions of `client/docs/snippets.ts`
 * @returns HTML. The service fills in the header
 */
export function apiPage(source, files, texts) {
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
  const groups = groupsOf(operations);
  const { title, description } = document.info;
  const shared = {
    errors: errorsOfAll(operations),
    targets: JSON.parse(readFileSync('src/adapters/http/external/reply-targets.json', 'utf8')),
    ...texts,
  };
  const named = Object.entries(document.components.schemas).filter(([name]) =>
    objects.has(`#/components/schemas/${name}`),
  );
  return `<!doctype html>
<html lang="en" data-theme="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeText(title)}</title>
<meta name="description" content="${PREVIEW}"><link rel="canonical" href="/docs"><link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="${files['icon.svg']}" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest"><link rel="stylesheet" href="${files.site}"><link rel="stylesheet" href="${files.api}"><script type="module" src="${files['api-page']}"></script></head>
<body><header></header>
<div class="api"><div class="api-side"><form class="api-search" role="search" hidden><label><span>Search <kbd>/</kbd></span><input type="search" placeholder="summaries, last, STATION_UNKNOWN" autocomplete="off" spellcheck="false"></label><p class="quiet" role="status"></p></form>
<details class="api-contents"><summary>Contents</summary><nav aria-label="Contents"><ul><li><a href="#try">Try it</a><li><a href="#start">Five requests to start with</a><li><a href="#access">Access and errors</a></ul>${groups.map(contents).join('')}<ul><li><a href="#objects">Objects of many replies</a></ul></nav></details></div>
<main id="content" tabindex="-1"><div id="top"><h1>The API</h1>${notes()}</div><p>${inline(description)} <a href="/openapi.json">openapi.json</a> contains this page for programs.</p>
<section id="try"><h2>Try it</h2><div id="try-panel"><p class="quiet">Here you choose a station, variables and a span, and see the address, the reply and a chart. This panel needs JavaScript; all other parts of the page do not.</p></div></section>
<section id="start"><h2>Five requests to start with</h2><p>The replies are those of a service with the data of <code>weatherd demo</code>; long ones are shortened. The commands name <code>${texts.DOCUMENTED.origin}</code> and the station <code>${texts.DOCUMENTED.station}</code>; with JavaScript, they name this service and the station that is chosen above. The calls of the TypeScript client (<code>clients/typescript</code> of the project) begin with:</p>
<pre><code id="start-library">import { WeatherdClient } from 'weatherd-client';
const client = new WeatherdClient('${texts.DOCUMENTED.origin}');</code></pre>
${START.map((entry) => startRequest(entry, operations, shared)).join('\n')}</section>
<section id="access"><h2>Access and errors</h2><p>Replace <code>$TOKEN</code> by the token that <a href="#${anchorOf('post', '/v1/auth/authenticate')}">signing in</a> returns. If a route needs an elevated token, use the token that <a href="#${anchorOf('post', '/v1/auth/elevate')}">elevating</a> returns.
Routes for everybody need no token, unless the service runs with <code>WEATHERD_READ_ACCESS=token</code>. With a token they also return data that only its owner may see.
An error has the form <code>{"success":false,"code":404,"message":"…","error":"STATION_UNKNOWN"}</code>: <code>error</code> is for programs, <code>message</code> for people.
Every route can return ${shared.errors.join(', ')}; each route lists its other errors. The service can also refuse a request before it finds the route, for example if the headers are too large.</p></section>
${groups.map((group) => section(group, shared)).join('\n')}
${objectSection(named)}</main></div></body></html>
`;
}

/** The operations by their tags, in the order of the page. Requests that read come before requests that change. */
function groupsOf(operations) {
  const tags = [...new Set(operations.flatMap(({ tags: [tag] }) => tag))];
  const others = tags.filter((tag) => !(tag in GROUPS) && !(tag in LAST_GROUPS));
  const order = { ...GROUPS, ...Object.fromEntries(others.map((tag) => [tag, []])), ...LAST_GROUPS };
  return Object.entries(order)
    .map(([title, first]) => {
      const rank = ({ operationId, method }) => {
        const index = first.indexOf(operationId);
        return index >= 0 ? index - first.length : method === 'GET' ? 0 : 1;
      };
      const inGroup = operations.filter(({ tags: [tag] }) => tag === title);
      return {
        id: title.toLowerCase().replaceAll(' ', '-'),
        title,
        operations: inGroup.toSorted((a, b) => rank(a) - rank(b)),
      };
    })
    .filter((group) => group.operations.length > 0);
}

/** A request with its texts and its reply. */
function startRequest([operationId, title, words], operations, shared) {
  const { anchor, path, responses } = operations.find((each) => each.operationId === operationId);
  const target = shared.targets[operationId][0];
  const [type, { example }] = Object.entries(responses['200'].content)[0];
  const id = `start-${anchor}`;
  const { origin, station } = shared.DOCUMENTED;
  const { pathname, search } = new URL(target, origin);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const params = Object.fromEntries(names.map((name) => [name, station]));
  const query = Object.fromEntries(new URLSearchParams(search));
  const call = shared.clientCallOf({ path, params, query });
  return `<article class="api-columns"><div><h3>${title}</h3><p>${inline(words)} <a href="#${anchor}"><code>GET ${escapeText(path)}</code></a></p>${copied('curl', `${id}-curl`, shared.curlOf(`${origin}${pathname}${search}`))}<details><summary>In TypeScript</summary>${copied('TypeScript client', `${id}-client`, call)}</details></div><div class="api-reply"><h4>Reply 200 <code>${type}</code></h4>${exampleBlock(example, shared)}</div></article>`;
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

/** The section about objects that occur in several replies. */
function objectSection(objects) {
  const tables = objects.map(
    ([name, schema]) =>
      `<details><summary><h3>${name}</h3></summary><div id="object-${name}">${fieldList(schema)}</div></details>`,
  );
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

/** A path for the narrow contents: without the version, and with places where a line may break. */
function shortPath(path) {
  return escapeText(path.replace(/^\/v1\//, '')).replaceAll('/', '/<wbr>');
}

function contents({ id, title, operations }) {
  const links = operations.map(
    ({ anchor, method, path }) => `<li><a href="#${anchor}"><b>${method}</b> ${shortPath(path)}</a>`,
  );
  return `<div class="group"><h2><a href="#${id}">${title}</a></h2><ul>${links.join('')}</ul></div>`;
}

function section({ id, title, operations }, shared) {
  const articles = operations.map((operation) => article(operation, shared));
  return `<section id="${id}" class="operations"><h2>${title}</h2>${articles.join('\n')}</section>`;
}
