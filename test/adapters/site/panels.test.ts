import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { Authenticate } from '#application/accounts/sessions/authenticate.js';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { PutAlarm } from '#application/alarms/put-alarm.js';
import { ListAlarms } from '#application/alarms/list-alarms.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { OverrideFailedValues } from '#application/observations/source-flags/override-failed-values.js';
import { ListOverrides } from '#application/observations/overrides/list-overrides.js';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { SetRetention } from '#application/operation/set-retention.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { expectWellFormed } from '../../support/accessibility.js';
import type { WatchedPage } from '../../support/browser.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, PASSWORD, signIn } from '../../support/site-user.js';

/** Text that would run a script if a page inserted it as HTML. */
const HOSTILE = `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>'"\\`;

/** A browser reports each refusal of the API that a test provokes. */
const provoked = (fault: string) => /status of (?:400|401|404|412)/.test(fault);

describeInBrowser('panels of the administration in a browser', () => {
  let site: Site;
  let visit: WatchedPage;
  let page: Page;
  let backups: string;
  const useCase: Site['service']['application']['useCase'] = (type) => site.service.application.useCase(type);

  before(async () => {
    backups = mkdtempSync(join(tmpdir(), 'weatherd-backups-'));
    site = await Site.start('demo', { WEATHERD_BACKUP_DIR: backups });
    await addAda(site);
    await site.addStation('evil', { name: HOSTILE });
    await site.write('evil', { air_temperature: 3 }, Date.UTC(2020, 0, 15));
    const command = { kind: 'command', command: [`/bin/${HOSTILE}`] } as const;
    const condition = { kind: 'silent', intervals: 3 } as const;
    await useCase(AddAlarm).execute(
      { name: 'run', station: 'evil', condition, target: command },
      COMMAND_LINE,
    );
    await useCase(AddHook).execute({ name: 'run', stations: ['evil'], target: command }, COMMAND_LINE);
    await useCase(AddUploadKey).execute({ station: 'evil', note: HOSTILE }, COMMAND_LINE);
    const range = { variable: 'air_temperature', from: 0, to: 1, verdict: 'bad', reason: HOSTILE } as const;
    await useCase(AddOverride).execute('evil', range, COMMAND_LINE);
    const guess = { username: HOSTILE, email: null, password: 'wrong password' };
    await useCase(Authenticate)
      .execute(guess, COMMAND_LINE)
      .catch(() => undefined);
    visit = await site.open('/admin', { locale: 'en-GB', timezoneId: 'Europe/Berlin' });
    ({ page } = visit);
    await signIn(page);
    await page.waitForSelector('.tabs');
  });
  after(async () => {
    await visit.close();
    await site.stop();
    rmSync(backups, { recursive: true, force: true });
  });

  const open = async (section: string, shows: string) => {
    await page.click(`.tabs a[href="#${section}"]`);
    await page.waitForSelector(`.tabs a[href="#${section}"][aria-current]`);
    await page.waitForSelector(shows);
  };
  const fillAll = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await page.fill(`.editor [name=${name}]`, value);
  };

  it('open, are accessible on a phone too, and show hostile names as text', async () => {
    const shown: Readonly<Record<string, string>> = {
      stations: 'th:has-text("onerror")',
      retention: 'th:text-is("evil")',
      alarms: 'td:has-text("onerror")',
      hooks: 'td:has-text("onerror")',
      keys: 'td:has-text("onerror")',
      mappings: 'th:text-is("1")',
      users: 'th:text-is("ada")',
      sessions: '.mark:text("this session")',
      audit: 'td:has-text("onerror")',
      backups: 'dt:text("Next backup")',
    };
    for (const [section, shows] of Object.entries(shown)) {
      await open(section, shows);
      await expectWellFormed(page, section);
    }
    await open('quality', 'select[name=station]');
    await page.selectOption('select[name=station]', 'evil');
    await page.waitForSelector('td:has-text("onerror")');
    await page.click('summary:text("Remove values")');
    await expectWellFormed(page, 'quality');
    expect(await page.locator('main img, main script').count()).to.equal(0);
  });

  it('offer no change of an alarm or a hook with a program', async () => {
    for (const section of ['alarms', 'hooks']) {
      await open(section, 'tr:has-text("run")');
      const buttons = await page.locator('tr:has-text("run") button').allInnerTexts();
      expect(buttons).to.include('Remove').and.not.to.include('Change');
      expect(await page.innerText('main section')).to.include('only with the command line');
    }
  });

  it('add a frost alarm with four choices, and show it in the audit', async () => {
    await open('alarms', 'tr:has-text("run")');
    await page.click('button:text("Add an alarm")');
    await page.selectOption('select[name=station]', 'JFK');
    await page.waitForSelector('select[name=unit] option', { state: 'attached' });
    await expectWellFormed(page, 'alarm form');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("frost"):has-text("Temperature below 0 °C")');
    const { alarm } = await useCase(ListAlarms).find('frost');
    expect(alarm).to.deep.include({
      condition: { kind: 'below', variable: 1, threshold: 0, clear: 0, for: 0 },
      target: null,
      madeBy: 'ada',
    });
    await open('audit', 'select[name=action]');
    await page.selectOption('select[name=action]', 'alarm-add');
    await page.fill('[name=actor]', 'ada');
    // The days are those of the clock of the table.
    await page.fill('[name=from]', '2013-07-01');
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/audit?*'),
      page.click('button:text("Search")'),
    ]);
    expect(new URL(request.url()).searchParams.get('from')).to.equal('2013-06-30T22:00:00.000Z');
    await page.waitForSelector('tbody tr:only-child:has-text("frost")');
  });

  it('add an alarm on a forecast with what frost needs, and change it', async () => {
    await open('alarms', 'tr:has-text("run")');
    await page.click('button:text("Add an alarm")');
    await page.selectOption('select[name=station]', 'JFK');
    await page.selectOption('select[name=kind]', 'forecast_below');
    await page.waitForSelector('select[name=unit] option:text("°F")', { state: 'attached' });
    const variables = await page.locator('select[name=variable] option').allInnerTexts();
    expect(variables).to.have.length(8).and.include.members(['Temperature', 'Rain']);
    await fillAll({ name: 'tonight' });
    await expectWellFormed(page, 'alarm form of a forecast');
    await page.click('.editor .main');
    await page.waitForSelector(
      'tr:has-text("tonight"):has-text("forecast: Temperature below 0 °C, within 12 h, chance at least 50 %")',
    );
    const condition = { kind: 'forecast', comparison: 'below', variable: 1, threshold: 0 } as const;
    const stored = async () => (await useCase(ListAlarms).find('tonight')).alarm.condition;
    expect(await stored()).to.deep.equal({ ...condition, within: 43_200_000, probability: 0.5 });
    await page.click('tr:has-text("tonight") button:text("Change")');
    await page.waitForSelector('select[name=unit] option', { state: 'attached' });
    await fillAll({ probability: '29', within: '200' });
    await page.click('.editor .main');
    await page.waitForSelector('.editor .fault:text("from 1 hour to 7 days")');
    await fillAll({ within: '24' });
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("tonight"):has-text("within 24 h, chance at least 29 %")');
    expect(await stored()).to.deep.equal({ ...condition, within: 86_400_000, probability: 0.29 });
    await useCase(RemoveAlarm).execute('tonight', COMMAND_LINE);
  });

  it('keep the choices of a form while other fields change and after a refusal', async () => {
    await open('alarms', 'tr:has-text("run")');
    await page.click('button:text("Add an alarm")');
    await page.waitForSelector('select[name=unit] option:text("°F")', { state: 'attached' });
    await page.selectOption('select[name=station]', 'JFK');
    await page.selectOption('select[name=unit]', '°F');
    await page.selectOption('select[name=kind]', 'above');
    await fillAll({ name: 'no name', threshold: '90' });
    await page.click('.editor .main');
    await page.waitForSelector('.editor .fault:not(:empty)');
    await page.evaluate("document.querySelector('select[name=lang]').closest('details').open = true");
    for (const [language, label] of [
      ['de', 'Abbrechen'],
      ['en', 'Cancel'],
    ] as const) {
      await page.selectOption('select[name=lang]', language);
      await page.waitForSelector(`.editor button:text("${label}")`);
    }
    expect(await page.inputValue('[name=threshold]')).to.equal('90');
    expect(await page.inputValue('select[name=station]')).to.equal('JFK');
    expect(await page.inputValue('select[name=unit]')).to.equal('°F');
    await page.click('.editor button:text("Cancel")');
  });

  it('keep what an alarm has while the lists of choices are being read', async () => {
    const before = await useCase(ListAlarms).find('frost');
    const held: Route[] = [];
    await page.route(/v1\/(?:stations\?|variables)/, (route) => void held.push(route));
    await open('alarms', 'tr:has-text("frost")');
    await page.click('tr:has-text("frost") button:text("Change")');
    await page.click('.editor .main');
    await page.waitForSelector('.editor', { state: 'detached' });
    await Promise.all(held.map((route) => route.continue()));
    await page.unroute(/v1\/(?:stations\?|variables)/);
    const after = await useCase(ListAlarms).find('frost');
    expect(after.alarm).to.deep.include({ station: before.alarm.station, condition: before.alarm.condition });
  });

  it('show their rows as cards on a phone, with each button in the window', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    for (const section of ['alarms', 'hooks', 'keys']) {
      await open(section, 'tbody tr button');
      for (const button of await page.locator('tbody button').all()) {
        const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
        expect(width, section).to.be.greaterThan(0);
        expect(x + width, section).to.be.at.most(360);
      }
      const heads = await page.locator('thead th').allTextContents();
      const cells = await page.locator('tbody tr:first-child > *').all();
      const labels = await Promise.all(cells.map((cell) => cell.getAttribute('data-label')));
      expect(labels, section).to.deep.equal(heads);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('show two changes of an alarm side by side, and ask for the password again in between', async () => {
    await open('alarms', 'tr:has-text("frost")');
    await page.click('tr:has-text("frost") button:text("Change")');
    await page.waitForSelector('select[name=unit] option', { state: 'attached' });
    const condition = { kind: 'below', variable: 1, threshold: -5, clear: -5, for: 0 } as const;
    await useCase(PutAlarm).execute({ name: 'frost', station: 'JFK', condition, target: null }, COMMAND_LINE);
    await fillAll({ threshold: '2', clear: '' });
    // Another elevation of the session replaces the one of the page.
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/alarms/frost'),
      page.click('.editor .main'),
    ]);
    await page.waitForSelector('dialog .conflict:has-text("below −5 °C"):has-text("below 2 °C")');
    await expectWellFormed(page, 'conflict');
    const { authorization = '' } = request.headers();
    await fetch(`${site.url}/v1/auth/drop/`, { method: 'POST', headers: { authorization } });
    await page.click('dialog .main');
    await page.fill('dialog [name=password]', PASSWORD);
    await page.click('dialog:has([name=password]) .main');
    await page.waitForSelector('tr:has-text("frost"):has-text("below 2 °C")');
  });

  it('add a hook with a created secret, which is not shown again, and pause it', async () => {
    await open('hooks', 'tr:has-text("run")');
    await page.click('button:text("Add a hook")');
    await fillAll({ name: 'forward', url: 'https://example.org/secret-path' });
    await page.uncheck('.station-ticks label:has-text("all stations")');
    await page.click('.editor .main');
    await page.waitForSelector('.station-ticks .fault:has-text("Choose a station")');
    await page.check('.station-ticks label:has-text("(JFK)")');
    await page.click('button:text("Create a secret")');
    const secret = await page.inputValue('[name=secret]');
    expect(secret).to.match(/^[\da-f]{64}$/);
    await expectWellFormed(page, 'hook form');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("forward"):has-text("signed")');
    expect(await page.content()).not.to.match(new RegExp(`${secret}|secret-path`));
    await page.click('tr:has-text("forward") button:text("Pause")');
    await page.waitForSelector('tr:has-text("forward") button:text("Resume")');
    await page.click('tr:has-text("forward") button:text("Change")');
    await page.check('.station-ticks label:has-text("all stations")');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("forward"):has-text("all stations"):has-text("signed")');
  });

  it('mark values of a station in its local time, and remove the mark', async () => {
    await open('quality', 'select[name=station]');
    await page.selectOption('select[name=station]', 'JFK');
    await page.waitForSelector('select[name=variable] option', { state: 'attached' });
    await fillAll({ from: '2013-07-18T12:00', to: '2013-07-18T13:00', reason: 'Sensor broken' });
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("Sensor broken")');
    expect(await page.textContent('tr:has-text("Sensor broken") td')).to.match(/12:00$/);
    const [override] = await useCase(ListOverrides).execute('JFK');
    expect(override).to.include({ from: Date.UTC(2013, 6, 18, 16), to: Date.UTC(2013, 6, 18, 17) });
    await page.click('tr:has-text("Sensor broken") button');
    await page.click('dialog .danger');
    await page.waitForSelector('tr:has-text("Sensor broken")', { state: 'detached' });
  });

  it('show the first of thousands of marks of an import, after those of persons', async () => {
    const described = await useCase(DescribeStation).execute('LGA', undefined, { audience: 'users' });
    const failed = Array.from({ length: 150 }, (_, day) => {
      const from = Date.UTC(1950, 0, 1 + 2 * day);
      return {
        variable: 29,
        from,
        to: from + 1000,
        reason: 'failed a check of NOAA: gap (flag G)',
        import: 12,
      };
    });
    await useCase(OverrideFailedValues).execute(described.station.number, [], failed);
    const range = { variable: 'air_temperature', from: 0, to: 1, verdict: 'bad', reason: 'Spider' } as const;
    await useCase(AddOverride).execute('LGA', range, COMMAND_LINE);
    await open('quality', 'select[name=station]');
    await page.selectOption('select[name=station]', 'LGA');
    await page.waitForSelector('tbody tr:nth-child(1):has-text("Spider")');
    const rows = page.locator('tr:has-text("flag G"):has-text("import 12")');
    expect(await rows.count()).to.equal(99);
    await page.click('button:text-is("More")');
    await page.waitForSelector('button:text-is("More")', { state: 'detached' });
    expect(await rows.count()).to.equal(150);
  });

  it('set a retention period after they have shown what it erases', async () => {
    await open('retention', 'th:text-is("evil")');
    await page.click('tr:has-text("evil") button');
    await page.selectOption('select[name=kept]', 'days');
    await fillAll({ days: '365' });
    await page.click('.editor .main');
    await page.waitForSelector('dialog:has-text("erase 1 row ")');
    await expectWellFormed(page, 'retention');
    await useCase(SetRetention).execute(['evil'], null, COMMAND_LINE);
    await page.click('dialog .danger');
    await page.waitForSelector('dialog .conflict:has-text("permanently"):has-text("365 days")');
    await page.click('dialog:has(.conflict) .main');
    await page.click('dialog:has-text("erase 1 row ") .danger');
    await page.waitForSelector('tr:has-text("evil"):has-text("365 days")');
    const periods = await useCase(SetRetention).list();
    expect(periods.find(({ id }) => id === 'evil')).to.include({ period: 365 * 86_400_000, isOwn: true });
  });

  it('map a field of an upload, with a fault beside a wrong line', async () => {
    await open('mappings', 'th:text-is("1")');
    await page.click('tr:has-text("evil") button');
    await fillAll({ mappings: 'temp3f soil_temperature degrees' });
    await page.click('.editor .main');
    await page.waitForSelector('[name=mappings][aria-invalid=true]');
    await fillAll({ mappings: 'temp3f soil_temperature unit=°F' });
    const settings = { windUnit: 'm/s', gauge: 'piezo' } as const;
    await useCase(MapUploadFields).execute({ number: 1, settings }, COMMAND_LINE);
    await page.click('.editor .main');
    await page.waitForSelector('dialog .conflict:has-text("piezo")');
    await page.click('dialog .main');
    await page.waitForSelector('td:has-text("temp3f soil_temperature unit=°F")');
    const [key] = await useCase(ListUploadKeys).execute('evil');
    expect(key?.settings).to.include(settings);
  });

  it('list removed stations, and restore one', async () => {
    await open('stations', 'th:has-text("onerror")');
    await page.click('tr:has-text("evil") button:text("Remove")');
    await page.click('dialog .danger');
    await page.click('summary:text("Restore a removed station")');
    await page.click('li:has-text("evil") button');
    await page.waitForSelector('th:has-text("onerror")');
    await page.click('tr:has-text("evil") button:text("Change")');
    await page.click('summary:text("Further settings")');
    await expectWellFormed(page, 'station form');
    await fillAll({ identifiers: 'icao ENGM' });
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("evil") button:text("Change")');
    const { station } = (await (await fetch(`${site.url}/v1/stations/evil`)).json()) as {
      station: { identifiers: object };
    };
    expect(station.identifiers).to.deep.equal({ icao: 'ENGM' });
  });

  it('end a session of another browser', async () => {
    const other = { username: 'ada', email: null, password: PASSWORD };
    const { token } = await useCase(Authenticate).execute(other, COMMAND_LINE);
    await open('audit', 'tbody');
    await open('sessions', 'tr:not(:has(.mark))');
    await page.click('tr:not(:has(.mark)) button:text-is("End")');
    await page.click('dialog .danger');
    await page.waitForSelector('[role=status]:has-text("Ended 1 session.")');
    const authorization = `Bearer ${token}`;
    const reply = await fetch(`${site.url}/v1/auth/drop/`, { method: 'POST', headers: { authorization } });
    expect(reply.status).to.equal(401);
  });

  it('name checks of health, actions and outcomes in German', async () => {
    const german = await site.open('/admin?lang=de#health');
    await signIn(german.page);
    await german.page.click('.tabs a[href="#health"]');
    await german.page.waitForSelector('th:text-is("Erneuerung der Tageswerte")');
    await german.page.click('.tabs a[href="#audit"]');
    await german.page.waitForSelector('tr:has-text("Alarm angelegt"):has-text("erledigt")');
    expect(await german.page.locator('option:text-is("Station entfernt")').count()).to.equal(1);
    await german.close();
  });

  it('lead to the sign-in after the end of the own session', async () => {
    await open('sessions', 'tr:has(.mark)');
    await page.click('tr:has(.mark) button:text-is("End")');
    await page.click('dialog .danger');
    await page.waitForSelector('.sign-in, dialog [name=password]');
    expect(await page.locator('.sign-in').count()).to.equal(1);
  });

  it('cannot be framed, and have run no script of others', async () => {
    const { headers } = await fetch(`${site.url}/admin`);
    expect(headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
    expect(await page.evaluate('globalThis.ran')).to.equal(undefined);
    expect(visit.faults.filter((fault) => !provoked(fault))).to.deep.equal([]);
  });
});
