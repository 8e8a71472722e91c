import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { loadCode } from '../support/document-code.js';
import { blocksOf } from '../support/document-shell.js';
import { Workplace } from '../support/process.js';

const TEXT = readFileSync(new URL('../../../docs/cookbook.md', import.meta.url), 'utf8');
const sections = TEXT.split(/^## /m).slice(1);
const blockOf = (language: string) => blocksOf(TEXT, [language])[0] ?? '';

describe('the cookbook', () => {
  let workplace: Workplace;
  let origin: string;
  const here = (text: string) => text.replaceAll('http://127.0.0.1:8080', origin);

  before(async () => {
    workplace = await Workplace.make();
    await workplace.makeDemo();
    origin = (await workplace.serveHere()).externalUrl;
  });
  after(() => workplace.remove());

  it('says in each recipe what was tried, and with which version', () => {
    expect(sections).to.have.length(6);
    for (const section of sections) {
      const [, tried = ''] = /^_Tried:_ (.*)$/ms.exec(section) ?? [];
      expect(tried, section.slice(0, 20)).to.match(/\d+\.\d+|not tried/);
    }
  });

  it('has addresses that the service answers', async () => {
    const addresses = [...TEXT.matchAll(/http:\/\/127\.0\.0\.1:8080\/[^\s'`]+/g)].map(([address]) =>
      here(address)
        .replace('${__from:date:iso}', '2013-07-01T00:00:00.000Z')
        .replace('${__to:date:iso}', '2013-08-01T00:00:00.000Z'),
    );
    expect(addresses).to.have.length(6);
    for (const address of addresses) {
      const reply = await fetch(address);
      expect(reply.status, address).to.equal(200);
      const text = await reply.text();
      if (address.includes('points=')) expect(text).to.match(/^time,.*\r?\n2013-07-01T00:00:00Z,23.3,/);
    }
  });

  it('has a map whose popups show names as text', async () => {
    const popups: unknown[] = [];
    type Feature = { readonly properties: object };
    const L = {
      geoJSON: (
        features: readonly Feature[],
        { onEachFeature }: { onEachFeature: (feature: Feature, layer: object) => void },
      ) => {
        const layer = { bindPopup: (popup: unknown) => popups.push(popup) };
        const named = [...features, { properties: { name: '<b>' } }];
        for (const feature of named) onEachFeature(feature, layer);
        return { addTo: () => undefined };
      },
    };
    const document = { createElement: (name: string) => ({ name }) };
    await loadCode(here(blockOf('js')), { L, document, map: {} });
    expect(popups).to.have.length(4);
    expect(popups[1]).to.deep.equal({ name: 'span', textContent: 'John F Kennedy Intl: -1.1 °C' });
    expect(popups[3]).to.deep.equal({ name: 'span', textContent: '<b>' });
  });

  it('has templates for Home Assistant with fields of the reply', async () => {
    const yaml = blockOf('yaml');
    const [, address = ''] = /resource: (\S+)/.exec(yaml) ?? [];
    const paths = [...yaml.matchAll(/\{\{ value_json\.([\w.]+)/g)].map(([, path = '']) => path.split('.'));
    expect(paths).to.have.length(2);
    const read = async (target: string) => {
      const json: unknown = await (await fetch(here(target))).json();
      return paths.map((path) =>
        path.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], json),
      );
    };
    const [value, number] = await read(address.replace('&max_age=3600', ''));
    expect(value).to.be.an('object');
    expect(number).to.equal(-1.1);
    // The demo is old.
    expect(await read(address)).to.deep.equal([undefined, undefined]);
  });

  it('has a component that shows the value, and the error of an unknown station', async () => {
    const { code } = await transform(here(blockOf('jsx')).replace(/^import .*$/m, ''), {
      loader: 'jsx',
      jsxFactory: 'h',
    });
    const draw = async (station: string) => {
      let asked: { queryKey: readonly string[]; queryFn(request: object): Promise<unknown> } | undefined;
      const answer: { data?: unknown; error?: unknown } = {};
      const useQuery = (options: typeof asked) => {
        asked = options;
        return answer;
      };
      const h = (_name: string, _props: object, ...children: readonly unknown[]) => children.join('');
      const component = (await loadCode(code, { useQuery, h })) as { Temperature(props: object): string };
      const draft = component.Temperature({ station });
      try {
        answer.data = await asked?.queryFn({ queryKey: asked.queryKey });
      } catch (error) {
        answer.error = error;
      }
      return [draft, component.Temperature({ station })];
    };
    expect(await draw('JFK')).to.deep.equal(['…', '-1.1 °C']);
    expect((await draw('JKF'))[1]).to.match(/^STATION_UNKNOWN: /);
  });

  it('gets 304 for the ETag of an unchanged value', async () => {
    const address = here('http://127.0.0.1:8080/v1/stations/JFK/observations/latest?decimals=usual');
    const etag = (await fetch(address)).headers.get('etag') ?? '';
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).to.equal(304);
  });
});
