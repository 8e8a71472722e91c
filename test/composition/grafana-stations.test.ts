import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Workplace } from '../support/process.js';

/** A query of the data source Infinity. */
interface Query {
  readonly type: 'csv' | 'json';
  readonly parser: string;
  readonly url: string;
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string; readonly text: string; readonly type: string }[];
}
interface Dashboard {
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly query: string | { readonly infinityQuery: Query };
    }[];
  };
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly Query[];
  }[];
}
type Row = Readonly<Record<string, unknown>>;

const { templating, panels } = JSON.parse(
  readFileSync(new URL('../../../docs/grafana/stations.json', import.meta.url), 'utf8'),
) as Dashboard;
const VALUES: Readonly<Record<string, string>> = {
  station: 'JFK',
  '__from:date:iso': '2013-07-01T00:00:00.000Z',
  '__to:date:iso': '2013-08-01T00:00:00.000Z',
};

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Row | undefined)?.[name], value);

/**
 * The rows that a selector selects. Of JSONata, it knows a path, and an object of paths and of `$substring` for each element of a
 * path, which is all that the dashboard has.
 *
 * @throws Error for a selector in another form
 */
function select(document: unknown, selector: string): Row[] {
  const [, path = '', fields] = /^([\w.]*?)\.?(?:\{ (.*) \})?$/.exec(selector) ?? [];
  if (path === '' && fields === undefined)
    throw new Error(`The test does not know the selector ${selector}.`);
  const found = path === '' ? document : at(document, path);
  const rows = Array.isArray(found) ? (found as Row[]) : [found as Row];
  if (fields === undefined) return rows;
  const pairs = [...fields.matchAll(/"(\w+)": (?:\$substring\(([\w.]+), 0, (\d+)\)|([\w.]+))(?:, |$)/g)];
  if (pairs.map(([text]) => text).join('') !== fields) throw new Error(`The test does not know ${fields}.`);
  return rows.map((row) =>
    Object.fromEntries(
      pairs.map(([, name = '', cut, length, source]) =>
        cut === undefined
          ? [name, at(row, source ?? '')]
          : [name, String(at(row, cut)).slice(0, Number(length))],
      ),
    ),
  );
}

function csvRows(text: string): Row[] {
  const [heading = '', ...lines] = text.trimEnd().split('\r\n');
  const names = heading.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])));
}

describe('the dashboard of stations for Grafana', () => {
  let workplace: Workplace;
  let origin: string;

  before(async () => {
    workplace = await Workplace.make();
    await workplace.makeDemo();
    origin = (await workplace.serveHere()).externalUrl;
  });
  after(() => workplace.remove());

  const queries = [
    ...templating.list.flatMap(({ name, query }) =>
      typeof query === 'string' ? [] : [[name, query.infinityQuery] as const],
    ),
    ...panels.flatMap(({ title, targets }) => targets.map((target) => [title, target] as const)),
  ];

  it('has panels and a list of stations', () => {
    expect(queries).to.have.length.greaterThan(8);
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    for (const [title, { parser }] of queries) expect(parser, title).to.equal('backend');
  });

  for (const [title, query] of queries) {
    it(`has rows with each column: ${title}`, async () => {
      const target = query.url
        // The demo ends in 2013, so its newest values are old.
        .replace('&max_age=3600', '')
        .replaceAll(/\$\{([^}]+)\}/g, (_text, name: string) => VALUES[name] ?? `no variable ${name}`);
      const reply = await fetch(`${origin}${target}`);
      const text = await reply.text();
      expect(reply.status, `${target} ${text}`).to.equal(200);
      const rows = query.type === 'csv' ? csvRows(text) : select(JSON.parse(text), query.root_selector);
      expect(rows).to.have.length.greaterThan(0);
      for (const { selector, type } of query.columns) {
        const values = rows
          .map((row) => row[selector])
          .filter((value) => value !== undefined && value !== '');
        expect(values, `${title} ${selector}`).to.have.length.greaterThan(0);
        const isRight = (value: unknown) =>
          type === 'timestamp'
            ? !Number.isNaN(Date.parse(String(value)))
            : type !== 'number' || !Number.isNaN(Number(value));
        expect(values.every(isRight), `${title} ${selector}`).to.equal(true);
      }
    });
  }
});
