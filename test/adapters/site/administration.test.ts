import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { EndSessions } from '#application/accounts/sessions/end-sessions.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { expectWellFormed as expectNoFault } from '../../support/accessibility.js';
import type { WatchedPage } from '../../support/browser.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, PASSWORD, signIn } from '../../support/site-user.js';

/** A browser reports each refusal of the API that a test provokes. */
const provoked = (fault: string) => /status of (?:400|401|403|404|412|429)/.test(fault);

/** Expects no fault, also at the narrowest width. */
async function expectWellFormed(page: Page): Promise<void> {
  await expectNoFault(page, 'administration');
  await page.setViewportSize({ width: 320, height: 800 });
  const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(beyond)).to.equal(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}

describeInBrowser('administration in a browser', () => {
  let site: Site;
  let visit: WatchedPage;
  let page: Page;

  before(async () => {
    site = await Site.start('demo', { WEATHERD_UPLOADS_ENABLED: 'true', WEATHERD_UPLOADS_PORT: '0' });
    await addAda(site);
    visit = await site.open('/admin', { locale: 'en-GB' });
    ({ page } = visit);
  });
  after(async () => {
    await visit.close();
    await site.stop();
  });

  it('shows nothing before sign-in, and says that a password is wrong', async () => {
    const html = await (await fetch(`${site.url}/admin`)).text();
    expect(html).not.to.match(/Kennedy|\bJFK\b/);
    await signIn(page, 'wrong');
    await page.waitForSelector('.fault:text("The name or the password is wrong.")');
    await expectWellFormed(page);
  });

  it('adds a station, with the words of the API beside the field that is wrong', async () => {
    await signIn(page);
    await page.click('button:text("Add a station")');
    await page.fill('[name=id]', 'GARDEN');
    await page.fill('[name=name]', 'Garden');
    await page.fill('[name=latitude]', '95');
    await page.fill('[name=longitude]', '10');
    await page.click('.editor summary');
    await page.fill('[name=limits]', 'air_temperature -40 50');
    await page.click('button:text("Save")');
    await page.waitForSelector('[name=latitude][aria-invalid=true]');
    const fault = await page.innerText('.field:has([name=latitude]) .fault');
    expect(fault).to.equal('A latitude must be from -90 to 90 degrees.');
    await expectWellFormed(page);
    await page.fill('[name=latitude]', '59.9');
    await page.click('button:text("Save")');
    await page.waitForSelector('th:text("Garden")');
    const reply = (await (await fetch(`${site.url}/v1/stations/GARDEN`)).json()) as { limits: object };
    expect(reply.limits).to.deep.equal({ air_temperature: { min: -40, max: 50 } });
  });

  it('hides a station and rounds its position, and shows both in the form again', async () => {
    const asVisitor = async () => fetch(`${site.url}/v1/stations/GARDEN`);
    const save = async () => {
      await page.click('button:text("Save")');
      await page.click('tr:has-text("Garden") button:text("Change")');
      await page.waitForSelector('[name=visibility]');
    };
    await page.click('tr:has-text("Garden") button:text("Change")');
    await page.check('[name=visibility]');
    await page.fill('[name=position_decimals]', '0');
    await save();
    expect((await asVisitor()).status).to.equal(404);
    expect(await page.isChecked('[name=visibility]')).to.equal(true);
    expect(await page.inputValue('[name=latitude]')).to.equal('59.9');
    await page.uncheck('[name=visibility]');
    await save();
    expect(await (await asVisitor()).json()).to.have.nested.property('station.latitude', 60);
    expect(await page.inputValue('[name=position_decimals]')).to.equal('0');
    await expectWellFormed(page);
    await page.fill('[name=position_decimals]', '');
    await save();
    await page.click('button:text("Cancel")');
    expect(await (await asVisitor()).json()).to.have.nested.property('station.latitude', 59.9);
  });

  it('saves a station while its rows arrive, and overwrites no change of somebody else', async () => {
    const open = async () => {
      await page.click('tr:has-text("Garden") button:text("Change")');
      await page.waitForSelector('[name=elevation]');
    };
    const elevation = async () => {
      const reply = (await (await fetch(`${site.url}/v1/stations/GARDEN`)).json()) as {
        station: { elevation: number | null };
      };
      return reply.station.elevation;
    };
    await open();
    await site.write('GARDEN', { air_temperature: 3.9 });
    await page.fill('[name=elevation]', '12');
    await page.click('button:text("Save")');
    await page.waitForSelector('tr:has-text("Garden") button:text("Change")');
    expect(await elevation()).to.equal(12);

    await open();
    const change = site.service.application.useCase(ChangeStations);
    await change.execute([{ id: 'GARDEN', change: { elevation: 99 } }], COMMAND_LINE);
    await page.fill('[name=elevation]', '13');
    await page.click('button:text("Save")');
    await page.waitForSelector('dialog');
    const conflict = await page.innerText('dialog .conflict');
    expect(conflict.split(/\s*\n\s*/).map((line) => line.trim())).to.deep.equal([
      'Elevation (m above sea level)',
      'Take theirs',
      '99',
      'Keep mine',
      '13',
    ]);
    await expectWellFormed(page);
    expect(await elevation()).to.equal(99);
    await change.execute([{ id: 'GARDEN', change: { elevation: 98, name: 'Back garden' } }], COMMAND_LINE);
    await page.click('dialog .main');
    await page.waitForSelector('dialog .conflict:has-text("98")');
    await page.click('dialog .main');
    await page.waitForSelector('tr:has-text("Back garden")');
    expect(await elevation()).to.equal(13);
    await change.execute([{ id: 'GARDEN', change: { name: 'Garden', elevation: 99 } }], COMMAND_LINE);
    await page.click('.bar button:text("Search")');
    await page.waitForSelector('tr:has-text("Garden") button:text("Change")');

    await page.click('button:text("Add a station")');
    await page.fill('[name=id]', 'GARDEN');
    await page.fill('[name=name]', 'Other');
    await page.fill('[name=latitude]', '1');
    await page.fill('[name=longitude]', '1');
    await page.click('button:text("Save")');
    await page.waitForSelector('.fault:text("The station GARDEN already exists.")');
    await page.click('button:text("Cancel")');
    expect(await elevation()).to.equal(99);
  });

  it('asks before it removes a station, and restores it', async () => {
    const status = async () => (await fetch(`${site.url}/v1/stations/GARDEN`)).status;
    await page.click('tr:has-text("Garden") button:text("Remove")');
    await page.waitForSelector('dialog');
    await expectWellFormed(page);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await status()).to.equal(200);
    await page.click('tr:has-text("Garden") button:text("Remove")');
    await page.click('dialog .danger');
    await page.waitForSelector('main [role=status]');
    expect(await status()).to.equal(404);
    await page.click('main [role=status] button');
    await page.waitForSelector('th:text("Garden")');
    expect(await status()).to.equal(200);
  });

  it('adds a user, and disables it after a question', async () => {
    await page.click('.tabs a[href="#users"]');
    await page.click('button:text("Add a user")');
    await page.fill('[name=name]', 'grace');
    await page.fill('[name=password]', 'a password for grace');
    for (const id of ['JFK', 'LGA']) await page.check(`.station-ticks label:has-text("(${id})")`);
    await page.click('button:text("Save")');
    await page.waitForSelector('tr:has-text("grace"):has-text("JFK, LGA")');
    expect(await page.locator('tr:has-text("ada") button').allInnerTexts()).to.deep.equal(['Change']);
    await page.click('tr:has-text("grace") button:text("Change")');
    await page.uncheck('[name=enabled]');
    await page.click('.editor > .buttons .main');
    await page.click('dialog .danger');
    await page.waitForSelector('tr:has-text("grace"):has-text("disabled")');
    await expectWellFormed(page);
  });

  it('makes a key, with what to type into each console, and revokes it', async () => {
    await page.click('.tabs a[href="#keys"]');
    await page.selectOption('[name=station]', 'GARDEN');
    await page.click('button:text("Add a key")');
    const secret = await page.innerText('.secret');
    await page.click('.makes button:text("Ecowitt")');
    expect(await page.inputValue('.console-fields li:has-text("Path") input')).to.equal(`/u/${secret}/`);
    await expectWellFormed(page);
    await page.click('button:text("Replace secret")');
    await page.click('dialog .danger');
    await page.waitForSelector('td:has-text("the previous secret is valid until")');
    expect(await page.innerText('.secret')).not.to.equal(secret);
    await page.click('button:text("Revoke")');
    await page.click('dialog .danger');
    await page.waitForSelector('p:text("There are no upload keys yet.")');
  });

  it('accepts a console that sends without a key', async () => {
    await fetch(`${site.service.uploadsUrl}/data/report/?PASSKEY=A1&tempf=50.1&model=GW2000A&dateutc=now`);
    await page.click('.tabs a[href="#uploads"]');
    await page.click('button:text("Add a station for this console")');
    await page.fill('[name=id]', 'ROOF');
    await page.fill('[name=name]', 'On the roof');
    await page.fill('[name=latitude]', '59.9');
    await page.fill('[name=longitude]', '10.7');
    await page.click('button:text("Save")');
    await page.click('button:text("Approve")');
    await page.waitForSelector('[role=status]:has-text("ROOF")');
    await page.waitForSelector('h4:text("ROOF")');
    await expectWellFormed(page);
  });

  /** Expects that an element needs no scrolling to the side in the window of a telephone. */
  async function expectInNarrowWindow(selector: string): Promise<void> {
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 360, height: 720 });
    const { x = 0, width = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
    expect(width).to.be.greaterThan(0);
    expect(x + width).to.be.at.most(360);
    await page.setViewportSize(size);
  }

  it('imports a file with a corrected unit, and takes it back', async () => {
    await page.click('.tabs a[href="#imports"]');
    await page.fill('[name=station]', 'ROOF');
    const rows = '2020-01-01 00:00,50\n2020-01-01 01:00,<b>\n2020-01-01 02:00,52\n';
    await page.setInputFiles('[type=file]', {
      name: '<img src=x>.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`time,Outdoor Temperature\n${rows}`),
    });
    await expectWellFormed(page);
    await page.click('button:text("Send the file")');
    await page.check('[type=radio][value="°C"]');
    await page.click('.import button:text("Look again")');
    await page.waitForSelector('button:text("Write these rows")');
    await expectWellFormed(page);
    await page.selectOption('[aria-label="Unit of Outdoor Temperature"]', '°F');
    await page.waitForSelector('button:text("Write these rows")', { state: 'detached' });
    await expectInNarrowWindow('[aria-label="Unit of Outdoor Temperature"]');
    await site.service.application.useCase(EndSessions).execute({ user: 'ada' }, COMMAND_LINE);
    await page.click('button:text("Look again")');
    await page.fill('dialog [name=password]', PASSWORD);
    await page.click('dialog .main');
    await page.waitForSelector('td:text-is("10 °C")');
    await page.click('button:text("Write these rows")');
    await page.waitForSelector('.import dd:text-is("2")');
    await page.click('.import summary');
    await page.waitForSelector('.import td:has-text("<b>")');
    await expectWellFormed(page);
    await page.click('.import button:text("Undo")');
    await page.click('dialog .danger');
    await page.waitForSelector('[role=status]:has-text("2 rows removed")');
    await page.click('button:text("Import another file")');
    await page.waitForSelector('tr:has-text("undone"):has-text("_img src_x_.csv")');
    await expectInNarrowWindow('tr:has-text("undone") td:text-is("undone")');
    await expectInNarrowWindow('tr:has-text("undone") button');
  });

  it('follows the share of an import that quality control has checked', async () => {
    const shares = [0.63, 0.99, 1];
    await page.route('**/v1/imports', async (route) => {
      const reply = await route.fetch();
      const body = (await reply.json()) as { imports: object[] };
      const checked = shares.length > 1 ? shares.shift() : shares[0];
      await route.fulfill({ json: { ...body, imports: [{ ...body.imports[0], state: 'done', checked }] } });
    });
    await page.click('.tabs a[href="#users"]');
    await page.click('.tabs a[href="#imports"]');
    await page.waitForSelector('td:text-is("written, 63 % checked")');
    await expectInNarrowWindow('td:text-is("written, 63 % checked")');
    await page.waitForSelector('td:text-is("written, 99 % checked")');
    await page.waitForSelector('td:text-is("written")');
    await page.unroute('**/v1/imports');
  });

  it('asks for the password when the rights have expired, and goes on', async () => {
    // Another elevation of the session replaces the one that the page has.
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/health/checks'),
      page.click('.tabs a[href="#health"]'),
    ]);
    const authorization = request.headers()['authorization'] ?? '';
    await page.waitForSelector('td:text-is("ok")');
    await fetch(`${site.url}/v1/auth/drop/`, { method: 'POST', headers: { authorization } });
    await page.click('.tabs a[href="#users"]');
    await page.waitForSelector('dialog');
    await expectWellFormed(page);
    await page.click('dialog button:text("Cancel")');
    await page.click('.fault:has-text("was not read") button:text("Try again")');
    await page.fill('dialog [name=password]', PASSWORD);
    await page.click('dialog .main');
    await page.waitForSelector('tr:has-text("grace")');
  });

  it('keeps a form whose session was ended elsewhere, and sends it after the password', async () => {
    await page.click('tr:has-text("grace") button:text("Change")');
    await page.fill('[name=email]', 'grace@example.org');
    await site.service.application.useCase(EndSessions).execute({ user: 'ada' }, COMMAND_LINE);
    await page.click('.editor .main');
    await page.fill('dialog [name=password]', 'wrong');
    await page.click('dialog .main');
    await page.waitForSelector('dialog:has-text("Your session has ended"):has-text("password is wrong")');
    expect(await page.isVisible('.admin')).to.equal(false);
    await expectWellFormed(page);
    await page.fill('dialog [name=password]', PASSWORD);
    await page.click('dialog .main');
    await page.waitForSelector('tr:has-text("grace"):has-text("grace@example.org")');
  });

  it('ends the session everywhere, and has kept the token nowhere', async () => {
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).to.equal('[{},{},""]');
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/auth/revoke/'),
      page.click('.site-bar > .account button'),
    ]);
    await request.response();
    await page.waitForSelector('.sign-in');
    const authorization = request.headers()['authorization'] ?? '';
    const again = await fetch(`${site.url}/v1/auth/drop/`, { method: 'POST', headers: { authorization } });
    expect(again.status).to.equal(401);
    expect(visit.faults.filter((fault) => !provoked(fault))).to.deep.equal([]);
  });
});

describeInBrowser('sign-in in a browser', () => {
  it('shows a page of a service that asks for a token after sign-in, and tells the wait', async () => {
    const site = await Site.start('empty', { WEATHERD_READ_ACCESS: 'token' });
    await addAda(site);
    await site.addStation('roof', { name: 'Kennedy' });
    const { page, faults, close } = await site.open('/stations/roof', { locale: 'en-GB' });
    await signIn(page);
    await page.waitForSelector('h1:text("Kennedy")');
    await page.click('.site-bar > .account button');
    await page.waitForSelector('.sign-in');
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const refusal = page.waitForResponse('**/v1/auth/authenticate/');
      await signIn(page, 'wrong');
      if ((await refusal).status() === 429) break;
      await page.waitForSelector('.fault:not(:empty)');
    }
    await page.waitForSelector('.fault:has-text("Try again in")');
    expect(faults.filter((fault) => !provoked(fault))).to.deep.equal([]);
    await close();
    await site.stop();
  });

  it('is not offered where it is switched off', async () => {
    const site = await Site.start('empty', { WEATHERD_AUTH_ENABLED: 'false' });
    const { page, close } = await site.open('/admin', { locale: 'en-GB' });
    expect(await page.innerText('main')).to.include('Nobody can sign in');
    expect(await page.locator('input').count()).to.equal(0);
    await close();
    await site.stop();
  });
});
