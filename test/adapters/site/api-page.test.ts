import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { LANGUAGES } from '#adapters/site/client/text/languages.js';
import { accessibilityFaults } from '../../support/accessibility.js';
import { Workplace } from '../../support/process.js';
import { describeInBrowser, Site } from '../../support/site.js';

const MAX_PAGE_BYTES = 170_000;
const html = readFileSync('dist/site/api.html', 'utf8');
const { paths, components } = JSON.parse(readFileSync('docs/openapi-external.json', 'utf8')) as {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly security?: readonly Readonly<Record<string, unknown>>[] }>>
    >
  >;
  readonly components: { readonly responses: Readonly<Record<string, { readonly description: string }>> };
};
interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
);

/** The codes of an error reply, which are its description. */
function errorsOf(reference: string): readonly string[] {
  const description = components.responses[reference.split('/').at(-1) ?? '']?.description ?? '';
  return /^[A-Z_, ]+$/.test(description) ? description.split(', ') : [];
}

describe('the page about the API', () => {
  const articles = [...html.matchAll(/<article id="([^"]+)">(.*?)<\/article>/gs)];

  it('has every operation, with its path, who may call it, and an example', () => {
    const shown = articles.map(([, , text = '']) =>
      /<b>(\w+)<\/b>\s*<code>([^<]*)<\/code>/.exec(text)?.slice(1, 3).join(' '),
    );
    expect(shown).to.have.members(operations.map((operation) => operation.join(' ')));
    for (const [, id, text] of articles) {
      expect(text, id).to.match(/For (?:everybody|administrators|signed-in users|writers)/);
      expect(text, id).to.match(/<code>curl [^<]*'http:\/\/127\.0\.0\.1:8080\/[^{}']*'/);
    }
  });

  it('asks for a token exactly where the document wants one', () => {
    for (const [, id, text = ''] of articles) {
      const [, method = '', path = ''] = /<b>(\w+)<\/b>\s*<code>([^<]*)<\/code>/.exec(text) ?? [];
      const { security } = paths[path]?.[method.toLowerCase()] ?? {};
      const isOpen = security === undefined || security.some((choice) => Object.keys(choice).length === 0);
      expect([text.includes('For everybody'), /curl [^<]*Authorization/.test(text)], id).to.deep.equal([
        isOpen,
        !isOpen,
      ]);
    }
  });

  it('keeps the anchor of an operation as long as its route', () => {
    const anchors = articles.map(([, id]) => id);
    expect(new Set(anchors).size).to.equal(operations.length);
    expect(anchors).to.include.members(['get-root', 'get-v1-stations-id', 'post-v1-auth-authenticate']);
  });

  it('says in each other language of the site that it is in English', () => {
    for (const language of LANGUAGES.filter((one) => one !== 'en'))
      expect(html).to.include(`<p lang="${language}" hidden>`);
  });

  it('has the target of each of its links', () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !ids.has(id))).to.deep.equal([]);
  });

  it('describes limits, fields of replies and errors', () => {
    const article = articles.find(([, id]) => id === 'get-v1-stations-id-summaries')?.[2];
    expect(article).to.include('default day').and.include('STATION_UNKNOWN').and.include('degree_days.mean');
  });

  it('lists each error of an operation with it, or above all where every operation has it', () => {
    const ofAll = /Every route can return ([^;]+);/.exec(html)?.[1] ?? '';
    expect(ofAll).to.include('500 INTERNAL_ERROR');
    for (const [method, path] of operations) {
      const { responses } = (paths[path]?.[method.toLowerCase()] ?? { responses: {} }) as Operation;
      const anchor = articles.find(([, , text]) => text?.includes(`<b>${method}</b> <code>${path}</code>`));
      const listed = `${ofAll} ${/<p class="api-errors[^>]*>(.*?)<\/p>/.exec(anchor?.[2] ?? '')?.[1]}`;
      const codes = Object.values(responses).flatMap(({ $ref = '' }) => errorsOf($ref));
      expect(codes).to.include('RATE_LIMITED');
      expect(
        codes.filter((code) => !listed.includes(code)),
        `${method} ${path}`,
      ).to.deep.equal([]);
    }
  });

  it('describes an object that several replies have once', () => {
    const [, station] = /<h3 id="object-Station">(.*?)<\/dl>/s.exec(html) ?? [];
    expect(station).to.include('<dt>latitude<dd><i>number</i> Degrees north');
    expect(html.match(/Degrees north/g)).to.have.lengthOf(1);
    const article = articles.find(([, id]) => id === 'get-v1-stations')?.[2];
    expect(article).to.include('<dt>stations<dd><i>list of <a href="#object-Station">Station</a></i>');
  });

  it('is small, and has neither scripts nor inline styles', () => {
    expect(Buffer.byteLength(html)).to.be.below(MAX_PAGE_BYTES);
    expect(html).not.to.match(/<script|<style| style=| on\w+=|undefined/);
  });
});

/** Examples that need something first: a correction that does not exist in the demo, or a stream that does not end. */
const NOT_ALONE = /\/events|\/overrides\/|\/auth\//;

describe('the examples of the page about the API', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
  });
  afterEach(() => place.remove());

  it('are answered by a service with the demo, without a token', async () => {
    expect((await place.run(['demo'])).status).to.equal(0);
    const { external } = await place.serve();
    const examples = [...html.matchAll(/<code>curl '([^']*)'<\/code>/g)].map(([, address = '']) =>
      address.replaceAll('&amp;', '&').replace('http://127.0.0.1:8080', external),
    );
    expect(examples.length).to.be.above(15);
    for (const address of examples.filter((each) => !NOT_ALONE.test(each))) {
      const reply = await fetch(address);
      expect(reply.status, `${address} ${await reply.text()}`.slice(0, 200)).to.equal(200);
    }
  });
});

describeInBrowser('the page about the API in a browser', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('empty');
  });
  after(() => site.stop());

  for (const theme of ['light', 'dark'] as const) {
    it(`${theme}: no fault, accessible, nothing beyond the edge, no JavaScript`, async () => {
      const { page, faults, requested, close } = await site.open('about:blank');
      await page.context().addCookies([{ name: 'weatherd', value: `lang=en&theme=${theme}`, url: site.url }]);
      await page.goto(`${site.url}/docs`, { waitUntil: 'networkidle' });
      expect(await page.getAttribute('html', 'data-theme')).to.equal(theme);
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const beyond = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(beyond, `${width} px`).to.equal(0);
      }
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      expect(requested.filter((address) => address.endsWith('.js'))).to.deep.equal([]);
      await close();
    });
  }

  it('says in German that it is in English', async () => {
    const note = 'text=Diese Seite gibt es nur auf Englisch.';
    for (const [locale, isShown] of [
      ['de-AT', true],
      ['en-IE', false],
    ] as const) {
      const { page, close } = await site.open('/docs', { locale });
      expect(await page.getAttribute('html', 'lang')).to.equal('en');
      expect(await page.locator(note).isVisible(), locale).to.equal(isShown);
      expect(await page.locator(note).getAttribute('lang')).to.equal('de');
      await page.goto('/');
      expect(await page.locator('.site-header a[href="/docs"]').first().getAttribute('hreflang')).to.equal(
        'en',
      );
      await close();
    }
  });
});
