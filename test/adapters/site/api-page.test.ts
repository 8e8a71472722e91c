import { ListSessions } from '#application/accounts/sessions/list-sessions.js';
import { readFileSync, statSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Requests } from '../../../clients/typescript/src/requests.js';
import { loadConfig } from '#composition/config.js';
import { type Service, startService } from '#composition/service.js';
import { LANGUAGES } from '#adapters/site/client/text/languages.js';
import { accessibilityFaults, colorFaults } from '../../support/accessibility.js';
import { silentLog } from '../../support/place.js';
import { eventually, Workplace } from '../../support/process.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, PASSWORD } from '../../support/site-user.js';

/** Bytes of the page for each operation: its description, parameters and example. The page is sent with Brotli in a tenth of this. */
const MAX_OPERATION_BYTES = 4200;
/** Size with brotli of the script and the style sheet that only this page loads. */
const MAX_SCRIPT_BYTES = 18_000;
const MAX_STYLE_BYTES = 2000;
/** Height of the page with closed descriptions, in pixels. */
const MAX_HEIGHT = 9400;
const html = readFileSync('dist/site/api.html', 'utf8');
const { paths, components } = JSON.parse(readFileSync('docs/openapi-external.json', 'utf8')) as {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly description?: string;
            readonly security?: readonly Readonly<Record<string, unknown>>[];
            readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
            >;
          }
        >
      >
    >
  >;
  readonly components: {
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};
interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly schema: { readonly description?: string };
}
interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
);

/** The anchor of an operation: `GET /v1/stations/{id}` → `get-v1-stations-id`. */
function anchorOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method, ...(words.length === 0 ? ['root'] : words)].join('-').toLowerCase();
}

function resolved(parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`${parameter.$ref} is missing`);
  return found;
}

const escaped = (words: string) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The codes of an error reply, which are its description. */
function errorsOf(reference: string): readonly string[] {
  const description = components.responses[reference.split('/').at(-1) ?? '']?.description ?? '';
  return /^[A-Z_, ]+$/.test(description) ? description.split(', ') : [];
}

describe('the page about the API', () => {
  const articles = [
    ...html.matchAll(
      /<article class="operation">(?=.*?<div id="([^"]+)" class="api-columns">)(.*?)<\/article>/gs,
    ),
  ];
  const articleOf = (id: string) => articles.find(([, found]) => found === id)?.[2] ?? '';

  it('has every operation, with its path, who may call it, and an example', () => {
    const shown = articles.map(([, , text = '']) =>
      /<b>(\w+)<\/b>\s*<code>([^<]*)<\/code>/.exec(text)?.slice(1, 3).join(' '),
    );
    expect(shown).to.have.members(operations.map((operation) => operation.join(' ')));
    for (const [, id, text] of articles) {
      expect(text, id).not.to.include('Access:');
      expect(text, id).to.match(/For (?:everybody|administrators|signed-in users|writers)/);
      expect(text, id).to.match(/<code id="[^"]+">curl [^<]*'http:\/\/127\.0\.0\.1:8080\/[^{}']*'/);
    }
  });

  it('says who may call an operation, as the document does', () => {
    let count = 0;
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { description = '' }] of Object.entries(methods)) {
        const [, access] = /(?:^| )Access: ([^.]*)\.$/.exec(description) ?? [];
        if (access === undefined) continue;
        count += 1;
        expect(articleOf(anchorOf(method, path))).to.match(new RegExp(`<p class="quiet">For ${access}[.,]`));
      }
    expect(count).to.be.above(30);
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
    const controlled = [...html.matchAll(/aria-controls="([^"]+)"/g)].map(([, id]) => id);
    expect(controlled.filter((id) => !ids.has(id))).to.deep.equal([]);
  });

  it('has each id once', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).to.deep.equal([]);
  });

  it('begins with the weather, and ends with sign-in', () => {
    const sections = [...html.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    expect(sections.slice(0, 7)).to.deep.equal([
      'try',
      'start',
      'access',
      'observations',
      'summaries',
      'climate',
      'stations',
    ]);
    expect(sections.slice(-3)).to.deep.equal(['service', 'sign-in', 'objects']);
  });

  it('describes each parameter where it is used', () => {
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const text = articleOf(anchorOf(method, path));
        for (const parameter of parameters.map(resolved)) {
          const { name, schema } = parameter;
          const words = (parameter.description ?? schema.description ?? '').replace(/`.*/s, '');
          const [, described] = new RegExp(`<dt>${name}<dd>(.*?)(?=<dt>|</dl>)`, 's').exec(text) ?? [];
          expect(described, `${method} ${path} ${name}`).to.include(escaped(words));
        }
      }
  });

  it('has a reply beside each operation: a real one, its types, or that it has no content', () => {
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const anchor = anchorOf(method, path);
        const [, reply = ''] = articleOf(anchor).split('<div class="api-reply">');
        const [, { content = {} }] = Object.entries(responses).find(([status]) => status < '300') ?? ['', {}];
        expect(reply, anchor).to.match(/<h4>Reply 2\d\d/);
        const examples = Object.values(content).filter(({ example }) => example !== undefined);
        if (examples.length > 0)
          expect(reply.match(/<pre tabindex/g), anchor).to.have.length(examples.length);
        else expect(reply, anchor).to.match(/Types stand for|no content|Text or a file/);
      }
  });

  it('has five requests to start with, whose calls of the client read the shown addresses', async () => {
    const [, start = ''] = /<section id="start">(.*?)<\/section>/s.exec(html) ?? [];
    const texts = [...start.matchAll(/<code id="[^"]+-(curl|client)">(.*?)<\/code>/gs)];
    const [shell, calls] = ['curl', 'client'].map((kind) =>
      texts.filter(([, found]) => found === kind).map(([, , text = '']) => text.replaceAll('&amp;', '&')),
    );
    const asked: string[] = [];
    const client = new Requests('http://127.0.0.1:8080', (address) => {
      asked.push((address as URL).href);
      return Promise.resolve(new Response('{}'));
    });
    for (const call of calls ?? [])
      await (runInNewContext(call.replace('const reply = await ', '').replace(/;$/, ''), {
        client,
      }) as Promise<unknown>);
    const shown = (shell ?? []).map((command) => new URL(/'(.*)'/.exec(command)?.[1] ?? '').href);
    expect(shown).to.have.length(5);
    expect(asked.map(decodeURIComponent)).to.deep.equal(shown.map(decodeURIComponent));
  });

  it('describes limits, fields of replies and errors', () => {
    expect(articleOf('get-v1-stations-id-summaries'))
      .to.include('default day')
      .and.include('STATION_UNKNOWN')
      .and.include('degree_days.mean');
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
    const [, station] = /<div id="object-Station">(.*?)<\/dl>/s.exec(html) ?? [];
    expect(station).to.include('<dt>latitude<dd><i>number</i> Degrees north');
    expect(html.match(/Degrees north/g)).to.have.lengthOf(1);
    expect(articleOf('get-v1-stations')).to.include(
      '<dt>stations<dd><i>list of <a href="#object-Station">Station</a></i>',
    );
  });

  it('is small, and has neither inline scripts nor inline styles', () => {
    expect(Buffer.byteLength(html) / operations.length).to.be.below(MAX_OPERATION_BYTES);
    const [script = '', ...others] = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(script).to.match(/^<script type="module" src="\/assets\/api-page-\w+\.js">$/);
    expect(others).to.deep.equal([]);
    expect(html).not.to.match(/<style| style=| on\w+=|undefined/);
    const sizeOf = (pattern: RegExp) => statSync(`dist/site${pattern.exec(html)?.[1] ?? ''}.br`).size;
    expect(sizeOf(/src="(\/assets\/api-page-[^"]+)"/)).to.be.below(MAX_SCRIPT_BYTES);
    expect(sizeOf(/href="(\/assets\/api-[^"]+\.css)"/)).to.be.below(MAX_STYLE_BYTES);
  });
});

/**
 * Examples that need something first: a correction or a forecast that does not exist in the demo, a month that quality control has
 * checked, or a stream that does not end.
 */
const NOT_ALONE = /\/events|\/overrides\/|\/auth\/|\/forecast|\/files\/\d/;

describe('the examples of the page about the API', () => {
  let place: Workplace;
  let service: Service;
  before(async () => {
    place = await Workplace.make();
    await place.makeDemo();
    const settings = {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: place.dataDir,
    };
    service = await startService(loadConfig(undefined, settings), silentLog);
  });
  after(async () => {
    await service.stop();
    await place.remove();
  });

  it('are answered by a service with the demo, without a token', async () => {
    const examples = [...html.matchAll(/<code id="[^"]+">curl '([^']*)'<\/code>/g)].map(([, address = '']) =>
      address.replaceAll('&amp;', '&').replace('http://127.0.0.1:8080', service.externalUrl),
    );
    expect(examples.length).to.be.above(15);
    for (const address of examples.filter((each) => !NOT_ALONE.test(each))) {
      const reply = await fetch(address);
      expect(reply.status, `${address} ${await reply.text()}`.slice(0, 200)).to.equal(200);
    }
  });
});

/** A name that would be an element if a page wrote it as HTML. */
const HOSTILE = '<img src=x onerror="document.title=1">';

/**
 * Opens the descriptions, and removes each operation and object whose elements are all of kinds that the page has before it. A kind
 * is the path of an element with its classes and attributes, and whether the element scrolls to the side. axe-core finds the same
 * faults in the few descriptions that stay, and needs several seconds for all of them.
 */
const OPEN_ONE_OF_EACH_KIND = `
  for (const part of document.querySelectorAll('main details')) part.open = true;
  const kindOf = (part) =>
    part.localName === 'main'
      ? ''
      : [kindOf(part.parentElement), part.localName, part.className, ...part.getAttributeNames()].join(' ');
  const known = new Set();
  for (const description of document.querySelectorAll('article.operation, #objects > *')) {
    const kinds = [description, ...description.querySelectorAll('*')].map(
      (part) => kindOf(part) + (part.scrollWidth > part.clientWidth),
    );
    if (kinds.every((kind) => known.has(kind))) description.remove();
    for (const kind of kinds) known.add(kind);
  }`;

describeInBrowser('the page about the API in a browser', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('demo');
    await site.addStation('evil', { name: HOSTILE });
    const now = Date.now();
    for (const minutes of [60, 30, 0])
      await site.write('evil', { air_temperature: minutes / 10 }, now - minutes * 60_000);
  });
  after(() => site.stop());

  for (const [theme, faultsOf] of [
    ['light', accessibilityFaults],
    ['dark', colorFaults],
  ] as const) {
    it(`${theme}: no fault, accessible, nothing beyond the edge, short`, async () => {
      const { page, faults, requested, close } = await site.open('about:blank');
      await page.context().addCookies([{ name: 'weatherd', value: `lang=en&theme=${theme}`, url: site.url }]);
      await page.goto(`${site.url}/docs`, { waitUntil: 'networkidle' });
      expect(await page.evaluate('document.documentElement.scrollHeight')).to.be.below(MAX_HEIGHT);
      await page.goto(`${site.url}/docs#get-v1-stations-id-summaries`);
      expect(await page.getAttribute('html', 'data-theme')).to.equal(theme);
      // Header and panel as on other pages.
      for (const words of ['Administration', 'Display'])
        expect(await page.locator('.site-header').innerText()).to.include(words);
      await page.click('text=Send the request');
      await page.waitForSelector('.try-result');
      if (theme === 'light')
        await page.evaluate('for (const part of document.querySelectorAll("main details")) part.open = true');
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        // The charts measure their new width after the next picture.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
        const beyond = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(beyond, `${width} px`).to.equal(0);
      }
      await page.evaluate(OPEN_ONE_OF_EACH_KIND);
      expect(await faultsOf(page)).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      expect(requested.filter((address) => address.endsWith('.js'))).to.have.length(1);
      await close();
    });
  }

  it('sends what one picks, and shows the address, the reply and a chart, all of it as text', async () => {
    const { page, faults, close } = await site.open('/docs');
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/stations/evil', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.getByRole('combobox', { name: 'Station' }).selectOption('evil');
    // The variables of the station are not known yet.
    expect(await page.isDisabled('text=Send the request')).to.equal(true);
    release();
    await page.getByRole('checkbox', { name: 'air_temperature' }).waitFor();
    const address = `${site.url}/v1/stations/evil/observations?last=24h&variables=air_temperature`;
    await page.waitForSelector(`#try-address:text-is("${address}")`);
    const start = await page.innerText('#start');
    expect(start.match(/curl '[^?']*/g)).to.include(`curl '${site.url}/v1/stations/evil/summaries`);
    expect(start).to.include(`new WeatherdClient('${site.url}')`);
    await page.click('text=Send the request');
    await page.waitForSelector('.try-result .chart-line');
    expect(await page.innerText('.try-result figcaption')).to.equal('air_temperature 3 values, 0 °C to 6 °C');
    const shown = JSON.parse(await page.innerText('.try-result pre')) as object;
    const reply = (await (await fetch(address)).json()) as object;
    // The span ends with the time of the request.
    expect({ ...shown, from: '', to: '' }).to.deep.equal({ ...reply, from: '', to: '' });

    await page.getByRole('combobox', { name: 'Span' }).selectOption('7d');
    await page.getByRole('combobox', { name: 'Request' }).selectOption('stations');
    await page.click('text=Send the request');
    await page.waitForSelector('text=there is no chart');
    expect(await page.innerText('.try-result pre')).to.include(JSON.stringify(HOSTILE));
    expect(await page.locator('main img').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('filters as one types, opens what an address names, and ignores other addresses', async () => {
    const { page, faults, close } = await site.open('/docs#%E0%A4%A');
    await page.keyboard.press('/');
    await page.keyboard.type('rose sectors');
    await page.waitForSelector('text=1 of ');
    expect(await page.locator('article.operation:visible').allInnerTexts()).to.have.length(1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#get-v1-stations-id-wind-rose:visible');
    await page.focus('.api-search input');
    await page.keyboard.press('Escape');
    expect(await page.locator('article.operation:visible').count()).to.equal(operations.length);
    await page.click('.api-contents a[href="#post-v1-auth-authenticate"]');
    await page.waitForSelector('#post-v1-auth-authenticate:visible');
    const before = await page.innerHTML('main');
    for (const hash of ['#<img src=x onerror=alert(1)>', '#"]', '#try"', '#%00'])
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    expect(await page.innerHTML('main')).to.equal(before);
    await page.goto(`${site.url}/docs?units=<script>alert(1)</script>&theme="><img>#x`);
    expect(await page.locator('main img, main script').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('keeps the choices of its header', async () => {
    const { page, close } = await site.open('/docs');
    await page.click('.site-menu > summary');
    await page.selectOption('.settings [name=theme]', 'dark');
    await page.waitForSelector('html[data-theme=dark]');
    await page.goto(`${site.url}/docs`);
    expect(await page.getAttribute('html', 'data-theme')).to.equal('dark');
    await page.click('.degrees [value=imperial]');
    await page.waitForSelector('.degrees [value=imperial][aria-pressed=true]');
    expect(await page.getByRole('combobox', { name: 'Units' }).inputValue()).to.equal('imperial');
    await close();
  });

  it('works without scripts', async () => {
    const { page, close } = await site.open('/docs#get-v1-stations-id-summaries', {
      javaScriptEnabled: false,
    });
    expect(await page.locator('#get-v1-stations-id-summaries').isVisible()).to.equal(true);
    await page.click('article.operation:has(#get-v1-events) summary');
    expect(await page.locator('#get-v1-events').innerText()).to.include('curl -N');
    expect(await page.locator('button.copy:visible, .api-search:visible').count()).to.equal(0);
    await close();
  });

  it('asks for a sign-in where visitors read nothing', async () => {
    const closed = await Site.start('demo', { WEATHERD_READ_ACCESS: 'token' });
    await addAda(closed);
    const { page, requested, close } = await closed.open('/docs');
    // The button in the header opens the form of this page.
    await page.click('.site-bar > .account a');
    await page.waitForSelector('.try-sign-in [name=user]:focus');
    await page.fill('.try-sign-in [name=user]', 'ada');
    await page.fill('.try-sign-in [name=password]', PASSWORD);
    await page.click('.try-sign-in button');
    await page.waitForSelector('.site-bar > .account a', { state: 'hidden' });
    await page.click('text=Send the request');
    await page.waitForSelector('.try-result .chart-line');
    expect(await page.textContent('#try-curl')).to.include('Bearer $TOKEN');
    expect(requested.filter((address) => /token=|eyJ/.test(address))).to.deep.equal([]);
    // A session that no page can use any more does not stay in the list.
    const { useCase } = closed.service.application;
    const sessions = async () => (await useCase(ListSessions).execute({ user: null })).length;
    expect(await sessions()).to.equal(1);
    await page.reload();
    await eventually(sessions, (count) => count === 0);
    await close();
    await closed.stop();
  });

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
      await page.goto(`${site.url}/`, { waitUntil: 'commit' });
      expect(await page.locator('.site-header a[href="/docs"]').first().getAttribute('hreflang')).to.equal(
        'en',
      );
      await close();
    }
  });
});
