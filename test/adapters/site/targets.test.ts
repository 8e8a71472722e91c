import { expect } from 'chai';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { ListAlarms } from '#application/alarms/list-alarms.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { TargetKinds, type TargetOwner } from '#application/hooks/target-kinds.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { Page } from 'playwright-core';
import { expectWellFormed } from '../../support/accessibility.js';
import type { WatchedPage } from '../../support/browser.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, signIn } from '../../support/site-user.js';

const SECRET = 'hunter22-of-the-service';

describeInBrowser('the targets in the administration', () => {
  let site: Site;
  let visit: WatchedPage;
  let page: Page;
  const useCase: Site['service']['application']['useCase'] = (type) => site.service.application.useCase(type);
  /** Refuses every message, and repeats its secrets. */
  const service = createServer((request, response) => {
    const { url = '', headers } = request;
    response.writeHead(401).end(`wrong password: ${url} ${String(headers['x-gotify-key'])}`);
  });

  before(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    site = await Site.start('empty');
    await addAda(site);
    await site.addStation('garden');
    // Only this station has rows, so nothing is sent to a network on the internet.
    await site.addStation('yard');
    visit = await site.open('/admin', { locale: 'en-GB' });
    ({ page } = visit);
    await signIn(page);
    await page.waitForSelector('.tabs');
  });
  after(async () => {
    await visit.close();
    await site.stop();
    service.close();
  });

  const fillAll = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await page.fill(`.editor [name=${name}]`, value);
  };
  const add = async (section: string, button: string) => {
    await page.click(`.tabs a[href="#${section}"]`);
    await page.click(`button:text("${button}"):enabled`);
    await page.waitForSelector('.editor select[name=target]');
  };
  /** The kinds of the list, and their settings, as the form offers them. */
  const offered = async (owner: TargetOwner) => {
    for (const kind of useCase(TargetKinds).of(owner)) {
      await page.selectOption('select[name=target]', kind.name);
      const names = await page
        .locator('.editor select[name=target]')
        .evaluate((select) =>
          [...(select as unknown as { form: Iterable<{ name: string; required: boolean }> }).form]
            .filter(({ name }) => ['account', 'secret', 'url', 'body'].includes(name))
            .map(({ name, required }) => [name, required]),
        );
      expect(Object.fromEntries(names), kind.name).to.deep.equal(kind.settings);
    }
  };
  const test = async (name: string) => {
    await page.click(`button[aria-label="Test: ${name}"]`);
    const status = page.locator(`tr:has-text("${name}") [role=status]`);
    await status.locator('pre').first().waitFor();
    return await status.innerText();
  };
  const change = async (name: string, kind: string) => {
    await page.click(`button[aria-label="Change: ${name}"]`);
    await page.selectOption('select[name=target]', kind);
  };

  it('of hooks are the networks of the service, with the fields that each needs, and keep their secret', async () => {
    await add('hooks', 'Add a hook');
    await offered('hook');
    await page.selectOption('select[name=target]', 'wunderground');
    await fillAll({ name: 'wu', account: 'KNY1', secret: SECRET });
    await page.uncheck('.station-ticks label:has-text("all stations")');
    await page.check('.station-ticks label:has-text("garden")');
    await expectWellFormed(page, 'form of a hook');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("wunderground KNY1"):has-text("Nothing was delivered yet.")');
    await change('wu', 'wunderground');
    await page.waitForSelector('.editor .quiet:text("Empty: the stored value stays.")');
    await fillAll({ account: 'KNY2', url: 'https://thief.example.org' });
    await page.click('.editor .main');
    await page.waitForSelector('.editor .fault:has-text("The secret is needed again")');
    await page.fill('[name=url]', '');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("wunderground KNY2")');
    expect(await page.content()).not.to.contain(SECRET);
  });

  it('of alarms are the messengers of the service, and templates', async () => {
    await add('alarms', 'Add an alarm');
    await page.selectOption('select[name=station]', 'garden');
    await page.selectOption('select[name=target]', 'post');
    await fillAll({ name: 'chat', url: 'https://chat.example.org/hook', body: '{"text": "{{nothing}}"}' });
    await page.click('.editor .main');
    await page.waitForSelector('.editor .fault:has-text("nothing")');
    await fillAll({ body: '{"text": "{{text}}"}' });
    await expectWellFormed(page, 'form of an alarm');
    await offered('alarm');
    await page.selectOption('select[name=target]', 'post');
    await fillAll({ url: 'https://chat.example.org/hook', body: '{"text": "{{text}}"}' });
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("chat.example.org")');
    const targetOf = async () => (await useCase(ListAlarms).find('chat')).alarm.target;
    expect(await targetOf()).to.include({ body: '{"text": "{{text}}"}' });
    await change('chat', 'gotify');
    await fillAll({ url: 'https://push.example.org', secret: SECRET });
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("gotify at https://push.example.org")');
    await change('chat', 'gotify');
    await page.click('.editor .main');
    await page.waitForSelector('.editor', { state: 'detached' });
    expect(await targetOf()).to.include({ service: 'gotify', secret: SECRET });
    expect(await page.content()).not.to.contain(SECRET);
  });

  it('show what a test has sent and received, without secrets', async () => {
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
    const settings = { kind: 'service', secret: SECRET, url, allowPrivate: true } as const;
    const weather = { ...settings, service: 'wunderground', account: 'KNY1' };
    await useCase(AddHook).execute({ name: 'local', stations: ['yard'], target: weather }, COMMAND_LINE);
    const messages = { ...settings, service: 'gotify' };
    const condition = { kind: 'battery' } as const;
    const alarm = { name: 'local', station: 'yard', condition, target: messages };
    await useCase(AddAlarm).execute(alarm, COMMAND_LINE);
    await site.write('yard', { air_temperature: 3 });
    for (const [section, sent] of [
      ['hooks', 'PASSWORD=***'],
      ['alarms', 'x-gotify-key: ***'],
    ] as const) {
      await page.click('.tabs a[href="#stations"]');
      await page.click(`.tabs a[href="#${section}"]`);
      const shown = await test('local');
      expect(shown, section).to.contain('was not delivered').and.to.contain('401').and.to.contain(sent);
      expect(shown, section).to.contain('wrong password').and.not.to.contain(SECRET);
      await expectWellFormed(page, `test of ${section}`);
      const table = page.locator('.table-scroll');
      const [inner, outer] = await table.evaluate((element) => {
        const { scrollWidth, clientWidth } = element as unknown as Readonly<Record<string, number>>;
        return [scrollWidth, clientWidth];
      });
      expect(inner, `width of ${section}`).to.equal(outer);
    }
  });
});
