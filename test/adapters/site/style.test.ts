import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const CLIENT = join(ROOT, 'src/adapters/site/client');

/** Classes of elements that Leaflet makes, classes that the map names by a quantity and a number, and a state of the service. */
const COMPUTED = /^(?:leaflet-.*|(?:rain|wind)-\d|degraded)$/;

const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '');
const sheets = readdirSync(join(CLIENT, 'style'))
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, text: readFileSync(join(CLIENT, 'style', name), 'utf8') }))
  .map(({ name, text }) => ({ name, css: withoutComments(text).replace(/@import .*/g, '') }));
const sources = [
  ...readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('text/'))
    .map((name) => join(CLIENT, name)),
  ...['api-page.mjs', 'api-page-operation.mjs', 'api-page-schema.mjs'].map((name) =>
    join(ROOT, 'scripts', name),
  ),
].map((path) => withoutComments(readFileSync(path, 'utf8')));
/** The words in the texts and templates of the sources, of which some are names of classes. */
const words = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g)].flatMap(([text]) => text.match(/[\w-]+/g) ?? []),
  ),
);

describe('the style sheets', () => {
  it('have no class that no page uses', () => {
    const unused = sheets.flatMap(({ name, css }) =>
      [...new Set([...css.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/gi)].map(([, found = '']) => found))]
        // The end of a name can be computed: the words of `speed-${index}` are `speed-` and `index`.
        .filter((found) => !words.has(found) && !words.has(found.replace(/[^-]+$/, '')))
        .filter((found) => !COMPUTED.test(found))
        .map((found) => `${name}: ${found}`),
    );
    expect(unused).to.deep.equal([]);
  });

  it('set a property of an element in one sheet, so that the order of the sheets does not matter', () => {
    /** The properties that rules for a class alone set, by class and sheet. */
    const rules = sheets.flatMap(({ name, css }) =>
      [...css.matchAll(/(?<=^|[{}])([^{}@]+)\{([^{}]*)\}/g)].flatMap(([, selectors = '', body = '']) =>
        [...selectors.matchAll(/(?<=^|,)\s*\.([\w-]+)\s*(?=$|,)/g)].flatMap(([, owner = '']) =>
          [...body.matchAll(/(?<=^|;)\s*([a-z-]+)\s*:/g)].map(([, property = '']) => ({
            name,
            owner,
            property,
          })),
        ),
      ),
    );
    const together = new Set(
      sources.flatMap((source) =>
        [...source.matchAll(/class="([\w -]+ [\w -]+)"/g)].map(([, found = '']) => found),
      ),
    );
    const disputed = [...together].flatMap((list) => {
      const classes = list.split(' ');
      const own = rules.filter(({ owner }) => classes.includes(owner));
      return own
        .filter((rule, index) =>
          own.slice(0, index).some(({ name, property }) => property === rule.property && name !== rule.name),
        )
        .map(({ property, owner }) => `${list}: ${property} of .${owner}`);
    });
    expect(disputed).to.deep.equal([]);
  });

  it('describe a class in one place, so that no part of the site changes another part', () => {
    const owners = new Map<string, Set<string>>();
    for (const { name, css } of sheets)
      for (const [, selectors = ''] of css.matchAll(/(?<=^|\})([^{}@]+)\{/g))
        for (const [, found = ''] of selectors.matchAll(/(?<=^|,)\s*\.([\w-]+)\s*(?=$|,)/g))
          owners.set(found, (owners.get(found) ?? new Set()).add(name));
    const shared = [...owners].filter(([, names]) => names.size > 1);
    expect(shared.map(([found, names]) => `${found}: ${[...names].join()}`)).to.deep.equal([]);
  });
});
