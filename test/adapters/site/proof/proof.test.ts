import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { GetVerification } from '#application/forecast/read/get-verification.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { accessibilityFaults, colorFaults } from '../../../support/accessibility.js';
import type { WatchedPage } from '../../../support/browser.js';
import { addForecastHistory, type ForecastHistory } from '../../../support/forecast-history.js';
import { computedCases, computedProof, type ReadJson } from '../../../support/forecast-proof.js';
import { describeInBrowser, Site } from '../../../support/site.js';

/** Nobody listens on this port, so no request leaves the machine. */
const SETTINGS = { WEATHERD_FORECAST_OPEN_METEO_URL: 'http://127.0.0.1:9' };
const PATH = '/stations/garden/forecast';
const { hour: HOUR, day: DAY } = MILLISECONDS;

interface Errors {
  readonly count: number;
  readonly bias: number | null;
  readonly mae: number | null;
  readonly within_2: number | null;
}
interface Chances {
  readonly count: number;
  readonly brier: number;
  readonly pod: number | null;
  readonly far: number | null;
  readonly reliability: readonly {
    readonly chance: number;
    readonly events: number;
    readonly count: number;
  }[];
}
interface Lead {
  readonly raw: Errors & { readonly chance: Chances | null };
  readonly corrected: Errors & { readonly coverage_80: number | null; readonly chance: Chances | null };
  readonly persistence: Errors;
}

/** The numbers in a text of an English page. */
const numbersIn = (text: string) =>
  (text.replaceAll('−', '-').match(/[+-]?\d[\d,]*(?:\.\d+)?/g) ?? []).map((found) =>
    Number(found.replaceAll(',', '')),
  );

/** Checks a shown number. The API has six decimals, so the last shown digit may be rounded the other way. */
function expectShown(shown: string | undefined, computed: number | null, decimals: number, name: string) {
  if (computed === null) {
    expect(shown, name).to.equal('–');
    return;
  }
  const [number = Number.NaN] = numbersIn(shown ?? '');
  expect(Math.abs(number - computed), `${name}: ${shown} is shown, ${computed} computed`).to.be.at.most(
    0.5 * 10 ** -decimals + 2e-6 * Math.max(1, 100 ** (decimals === 0 ? 1 : 0)),
  );
}

async function rowsOf(page: Page, table: string): Promise<string[][]> {
  return page.$$eval(`${table} tbody tr`, (rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
  );
}

describeInBrowser('the page about the quality of forecasts', () => {
  let site: Site;
  let read: ReadJson;
  const add = (id: string, history: Partial<ForecastHistory> = {}) =>
    addForecastHistory((type) => site.service.application.useCase(type), id, {
      days: 3,
      now: Date.now(),
      ...history,
    });

  before(async () => {
    site = await Site.start('empty', SETTINGS);
    await add('garden', { days: 40, station: { name: 'Garden' } });
    const known = new Map<string, unknown>();
    read = async (path) => {
      if (known.has(path)) return known.get(path);
      const reply = await fetch(site.url + path);
      const content: unknown = reply.status === 404 ? undefined : await reply.json();
      if (path.includes('issued=')) known.set(path, content);
      return content;
    };
  });
  after(() => site.stop());

  async function computed(variable: string): Promise<readonly Lead[]> {
    const { scored_until: until, since } = (await read(
      `/v1/stations/garden/forecast/verification?variable=${variable}`,
    )) as { readonly scored_until: string; readonly since: string };
    const input = {
      station: 'garden',
      variable,
      until: Date.parse(until),
      from: Date.parse(since),
      interval: HOUR,
    };
    return (await computedProof(read, input)) as unknown as Lead[];
  }

  const percent = (share: number | null) => (share === null ? null : 100 * share);

  for (const variable of ['air_temperature', 'wind_speed', 'air_pressure_at_mean_sea_level'])
    it(`shows only numbers that can be computed again from forecasts and observations: ${variable}`, async () => {
      const leads = await computed(variable);
      const hour = 5;
      const { page, close } = await site.open(
        `${PATH}?variable=${variable}&hour=${hour}&months=all&units=metric`,
        {
          locale: 'en-GB',
        },
      );
      const ahead = leads[3] as Lead;
      const headline = await page.innerText('h1');
      expectShown(headline, ahead.corrected.mae, 1, 'headline');
      const [alone] = numbersIn(await page.innerText('.verdict-facts'));
      expectShown(String(alone), ahead.raw.mae, 1, 'model');
      const gain = 100 * (1 - (ahead.corrected.mae as number) / (ahead.raw.mae as number));
      const learned = await page.innerText('.verdict-facts .quiet');
      if (Math.round(gain) > 0) expectShown(learned, gain, 0, 'gain');
      else expect(learned).to.match(/has not made it better/);

      const rows = await rowsOf(page, '.proof > .table-scroll');
      expect(rows.length).to.equal(12);
      for (const [index, { raw, corrected, persistence }] of leads.entries()) {
        const [name = '', ...cells] = rows[index] ?? [];
        const expected = [raw.count, raw.mae, corrected.mae, persistence.mae, raw.bias];
        for (const [cell, value] of expected.entries())
          expectShown(cells[cell], value, cell === 0 ? 0 : 2, `${name}, column ${cell}`);
        expectShown(cells[5], percent(corrected.within_2), 0, `${name}, near`);
        expectShown(cells[6], percent(corrected.coverage_80), 0, `${name}, band`);
      }

      const outside = await page.locator('.hundred .outside').count();
      expectShown(String(100 - outside), percent(ahead.corrected.coverage_80), 0, 'dots of the band');
      expect(await page.locator('.hundred circle').count()).to.equal(100);
      expectShown(
        /held (\d+)/.exec(await page.innerText('#band'))?.[1],
        percent(ahead.corrected.coverage_80),
        0,
        'band',
      );

      // The hour of the local day of the last 60 days, in a zone whose offset changes once a year at most in this time.
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Amsterdam', timeStyle: 'medium' });
      const today = Math.floor(Date.now() / DAY) * DAY;
      const hours = Array.from({ length: 62 * 24 }, (_, index) => today - 60 * DAY + index * HOUR).filter(
        (time) => time <= Date.now() - 1.5 * HOUR && clock.format(time) === '05:00:00',
      );
      const input = { station: 'garden', variable, until: Date.now(), interval: HOUR };
      const cases = (await computedCases(read, input, { lead: [24, 47], hours })).slice(-60);
      await page.click('#cases summary');
      const shown = await rowsOf(page, '#cases');
      expect(shown.length).to.equal(cases.length).and.be.above(25);
      for (const [index, one] of cases.entries())
        for (const [cell, value] of [one.forecast, one.raw, one.observed].entries())
          expectShown(shown[index]?.[cell + 1], value, 1, `case ${index}`);
      const near = (error: (one: (typeof cases)[number]) => number) =>
        cases.filter((one) => Math.abs(error(one)) <= 2 + 1e-9).length;
      const sentence = await page.innerText('#cases > p');
      expect(numbersIn(/\.\s(.*)/.exec(sentence)?.[1] ?? '').filter((one) => one !== 2)).to.deep.equal(
        [
          near(({ forecast, observed }) => forecast - observed),
          cases.length,
          near(({ raw, observed }) => raw - observed),
        ].filter((one) => one !== 2),
      );
      expect(await page.locator('#cases .case .corrected').count()).to.equal(cases.length);
      await close();
    });

  for (const variable of ['precipitation_amount', 'frost'])
    it(`shows only numbers that can be computed again from forecasts and observations: ${variable}`, async () => {
      const leads = await computed(variable);
      const { page, close } = await site.open(`${PATH}?variable=${variable}&months=all`, { locale: 'en-GB' });
      const raw = leads[3]?.raw.chance as Chances;
      const own = leads[3]?.corrected.chance as Chances;
      expectShown(await page.innerText('h1'), percent(own.pod), 0, 'headline');
      const facts = numbersIn(await page.innerText('.verdict-facts'));
      expectShown(String(facts[0]), percent(own.far), 0, 'false alarms');
      expectShown(String(facts[1]), own.brier, 2, 'Brier');
      expectShown(String(facts[2]), raw.brier, 2, 'Brier of the model');
      const [hits, falseAlarms, brier] = await page.locator('.proof-scores dd').allInnerTexts();
      const share = own.reliability.reduce((sum, bin) => sum + (bin.events ?? 0) * bin.count, 0) / own.count;
      expectShown(hits, percent(own.pod), 0, 'hits');
      expectShown(falseAlarms, percent(own.far), 0, 'false alarms');
      const scores = numbersIn(brier ?? '').map(String);
      for (const [index, value, decimals] of [
        [0, own.brier, 2],
        [1, raw.brier, 2],
        [2, 100 * share, 0],
        [3, share * (1 - share), 2],
      ] as const)
        expectShown(scores[index], value, decimals, `score ${index}`);
      await page.click('#reliability summary');
      const bins = own.reliability.filter(({ count }) => count > 0);
      const shown = await rowsOf(page, '#reliability');
      expect(shown.length).to.equal(bins.length);
      for (const [index, { chance, events, count }] of bins.entries())
        for (const [cell, value] of [100 * chance, 100 * events, count].entries())
          expectShown(shown[index]?.[cell], value, 0, `bin ${index}`);
      const rows = await rowsOf(page, '.proof > .table-scroll');
      for (const [index, lead] of leads.entries()) {
        const [name = '', ...cells] = rows[index] ?? [];
        const [model, published] = [lead.raw.chance as Chances, lead.corrected.chance as Chances];
        for (const [cell, value] of [published.count, model.brier, published.brier].entries())
          expectShown(cells[cell], value, cell === 0 ? 0 : 2, `${name}, column ${cell}`);
        expectShown(cells[3], percent(published.pod), 0, `${name}, hits`);
        expectShown(cells[4], percent(published.far), 0, `${name}, false alarms`);
      }
      await close();
    });

  const languages = [
    ['', 'en-GB'],
    ['?variable=wind_speed&units=imperial', 'de-DE'],
    ['?variable=precipitation_amount', 'nl-NL'],
    ['?variable=frost', 'de-DE'],
  ] as const;
  let visits: Promise<readonly (WatchedPage & { readonly query: string })[]> | undefined;
  /** The pages that the tests of both color schemes look at. */
  const inEachLanguage = () =>
    (visits ??= Promise.all(
      languages.map(async ([query, locale]) => ({ query, ...(await site.open(PATH + query, { locale })) })),
    ));

  for (const [colorScheme, faultsOf] of [
    ['light', accessibilityFaults],
    ['dark', colorFaults],
  ] as const)
    it(`${colorScheme}: no fault, accessible, nothing beyond the edge, in each language`, async () => {
      for (const { query, page, faults } of await inEachLanguage()) {
        await page.emulateMedia({ colorScheme });
        for (const width of [320, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          const beyond = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect(beyond, `${query} ${width} px`).to.equal(0);
        }
        expect(await faultsOf(page), query).to.deep.equal([]);
        expect(faults, query).to.deep.equal([]);
      }
    });

  it('is the same without JavaScript, links to other variables included', async () => {
    const plain = await site.open(PATH, { javaScriptEnabled: false, locale: 'en-GB' });
    const lively = await site.open(PATH, { locale: 'en-GB' });
    // The form with the hour has a button only without JavaScript.
    for (const { page } of [plain, lively])
      await page.$eval('.proof-hour', (form) => form.setAttribute('hidden', ''));
    const text = async ({ page }: typeof plain) =>
      (await page.locator('.proof-part, h1, .verdict-facts, .proof > .table-scroll').allInnerTexts()).join(
        '\n',
      );
    expect(await text(lively)).to.equal(await text(plain));
    await plain.page.click('text=Wind');
    await plain.page.waitForURL('**variable=wind_speed');
    expect(await plain.page.innerText('h1')).to.match(/off by \d+\.\d\smph/);
    await lively.page.$eval('.proof-hour', (form) => form.removeAttribute('hidden'));
    await lively.page.selectOption('select[name=hour]', '14');
    await lively.page.waitForURL('**hour=14');
    await lively.page.waitForSelector('h2:has-text("At 14:00")');
    await Promise.all([plain.close(), lively.close()]);
  });

  it('reads the values of a picture with the arrow keys', async () => {
    const { page, close } = await site.open(PATH, { locale: 'en-GB' });
    await page.focus('#curves figure');
    await page.keyboard.press('Home');
    for (let press = 0; press < 3; press += 1)
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press('ArrowRight');
    const words = await page.innerText('#curves figcaption');
    const [, , , row = []] = await rowsOf(page, '.proof > .table-scroll');
    expect(words).to.match(/^day 2, as it is now [\d.]+, model, raw [\d.]+, corrected here [\d.]+$/);
    const [, guess, model, corrected] = numbersIn(words);
    expectShown(String(corrected), Number(row[3]), 1, 'corrected');
    expectShown(String(model), Number(row[2]), 1, 'model');
    expectShown(String(guess), Number(row[4]), 1, 'guess');
    await page.keyboard.press('Escape');
    expect((await page.innerText('#curves figcaption')).trim()).to.equal('');
    for (const [figure, pattern] of [
      ['cases', /, Forecast .* Measured/],
      ['band', /^day 10: \d+ %$/],
      ['reliability', /^Announced \d+ %, Happened/],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one figure after the other
      await page.focus(`#${figure} figure`);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.keyboard.press('End');
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await page.innerText(`#${figure} figcaption`)).to.match(pattern);
    }
    await close();
  });

  it('writes errors in the units of the visitor', async () => {
    const inUnits = async (units: string) => {
      const { page, close } = await site.open(`${PATH}?units=${units}`, { locale: 'en-GB' });
      const [, , , row = []] = await rowsOf(page, '.proof > .table-scroll');
      const text = (await page.innerText('.proof')).replaceAll('\u00A0', ' ');
      await close();
      return { row, text };
    };
    const [metric, imperial] = [await inUnits('metric'), await inUnits('imperial')];
    expect(Number(imperial.row[3])).to.be.closeTo(1.8 * Number(metric.row[3]), 0.02);
    expect(imperial.text).to.include('within 3.6 °F').and.not.include('°C');
  });

  it('says why there are no numbers, or few', async () => {
    const variables = ['air_temperature'];
    await add('new', { days: 1, variables });
    await add('young', { days: 12, variables });
    await add('silent', { isObserved: false, variables });
    await add('ended', { days: 12, variables });
    await add('simulated', { variables });
    await add('hidden', { station: { visibility: 'hidden' }, variables });
    await site.addStation('roof');
    const { application } = site.service;
    await application.useCase(RemoveForecast).execute('ended', COMMAND_LINE);
    const { station } = await application.useCase(GetVerification).execute('simulated', {});
    const order = { station: station.number, provider: 'simulated', since: Date.now() };
    await application.useCase(ForecastOrders).put(order);
    const textOf = async (id: string) => {
      const reply = await fetch(`${site.url}/stations/${id}/forecast`, { headers: { accept: 'text/html' } });
      return `${reply.status} ${(await reply.text()).replaceAll(/<script.*?<\/script>/gs, '').replaceAll(/<[^>]*>/g, ' ')}`;
    };
    expect(await textOf('roof')).to.match(/^200 .*There are no forecasts of this station/s);
    expect(await textOf('new')).to.match(/^200 .*Nothing to compare yet.*The first forecast is of \d/s);
    expect(await textOf('young')).to.match(/off by \d.*1[01] days so far/s);
    expect(await textOf('silent')).to.match(/Nothing to compare yet/);
    expect(await textOf('ended')).to.match(/off by \d.*The provider is no longer asked/s);
    expect(await textOf('simulated')).to.match(/How good was the forecast here\?[^.]*simulated/s);
    expect(await textOf('hidden')).to.match(/^404 /);
    expect(await textOf('nowhere')).to.match(/^404 /);
  });

  it('shows nothing of a service that asks for a token', async () => {
    const closed = await Site.start('empty', { ...SETTINGS, WEATHERD_READ_ACCESS: 'token' });
    await addForecastHistory((type) => closed.service.application.useCase(type), 'garden', {
      days: 4,
      now: Date.now(),
      variables: ['air_temperature'],
    });
    const html = await (await fetch(closed.url + PATH, { headers: { accept: 'text/html' } })).text();
    expect(html)
      .to.include('Sign in')
      .and.not.match(/off by|Open-Meteo|within/);
    await closed.stop();
  });
});
