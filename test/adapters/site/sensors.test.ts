import { expect } from 'chai';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { chargesOf, LINE, lineOf, lowestOf } from '#adapters/site/client/admin/sources/charges.js';
import { expectWellFormed } from '../../support/accessibility.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, signIn } from '../../support/site-user.js';

const UNKNOWN = {
  battery_percent: null,
  battery_voltage: null,
  battery_low: null,
  signal: null,
  reception: null,
} as const;
const atDay = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString();

/** A sensor with a voltage for each day, the newest of which is its state now. */
function sensorWith(voltages: readonly (number | null)[]) {
  const states = voltages.map((voltage, index) => ({
    ...UNKNOWN,
    time: atDay(index + 1),
    battery_voltage: voltage,
  }));
  const { time, ...now } = states.at(-1) ?? { ...UNKNOWN, time: atDay(1) };
  const about = { sensor: 'iss', source: 'roof', upload_key: null, low: false, since: atDay(1) };
  return { ...about, ...now, last_seen: time, history: states.slice(0, -1) };
}

describe('the history of a battery', () => {
  it('has percentages before voltages, and the charge now as its end', () => {
    const sensor = sensorWith([2.8, 2.7]);
    expect(chargesOf(sensor)).to.deep.equal([
      { time: atDay(1), value: 2.8, unit: 'V' },
      { time: atDay(2), value: 2.7, unit: 'V' },
    ]);
    expect(chargesOf({ ...sensor, battery_percent: 60 })).to.deep.equal([
      { time: atDay(2), value: 60, unit: '%' },
    ]);
  });

  it('has a lowest charge, the newest of several, if it has ever changed', () => {
    expect(lowestOf(chargesOf(sensorWith([2.8, 2.4, 2.9, 2.4, 2.8])))).to.deep.equal({
      time: atDay(4),
      value: 2.4,
      unit: 'V',
    });
    for (const voltages of [[], [null], [2.8], [2.8, 2.8]])
      expect(lowestOf(chargesOf(sensorWith(voltages)))).to.equal(undefined);
  });

  it('is a line from left to right within its picture', () => {
    const voltages = fc.array(fc.oneof(fc.constant(null), fc.double({ min: 0, max: 9, noNaN: true })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(voltages, (values) => {
        const line = lineOf(chargesOf(sensorWith(values)));
        const points = line === '' ? [] : line.split(' ').map((point) => point.split(',').map(Number));
        expect(points.length).to.equal(values.filter((value) => value !== null).length);
        for (const [index, [x = NaN, y = NaN]] of points.entries()) {
          expect(x).to.be.within(points[index - 1]?.[0] ?? 0, LINE.width);
          expect(y).to.be.within(1, LINE.height - 1);
        }
      }),
    );
  });
});

/** Text that would run a script if a page inserted it as HTML. */
const HOSTILE = `<img src=x onerror="globalThis.ran=1">`;

describeInBrowser('the sensors of a station in the administration', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('empty');
    await addAda(site);
    await site.addStation('garden');
    await site.addStation('silent');
    const { byId } = await site.service.application.useCase(StationDirectory).current();
    const station = byId.get('garden')?.number ?? 0;
    const sensors = site.service.application.useCase(NoteSensors);
    const note = (day: number, voltage: number, isBatteryLow: boolean) =>
      sensors.note(
        station,
        { source: 'roof' },
        [
          { sensor: 'iss', batteryVoltage: voltage, isBatteryLow, signal: -71, reception: 98 },
          { sensor: HOSTILE, batteryPercent: 60 + day },
          { sensor: 'wh65', isBatteryLow: false },
          { sensor: 'wh80', isBatteryLow: true },
        ],
        Date.UTC(2026, 10, day, 12),
      );
    for (let day = 1; day <= 9; day += 1) note(day, 2.8 - day / 20, false);
    note(10, 2.2, true);
    note(11, 2.25, true);
  });
  after(() => site.stop());

  const open = async (locale: string) => {
    const { page, faults, close } = await site.open('/admin#sensors/garden', {
      locale,
      timezoneId: 'Europe/Berlin',
    });
    await signIn(page);
    await page.waitForSelector('tbody tr');
    return { page, faults, close };
  };
  const rowOf = async (page: Page, sensor: string) =>
    (await page.innerText(`tr:has(th:text-is("${sensor}"))`)).replaceAll(/\s+/g, ' ');

  it('are shown with their batteries, signals and last reports, and a low battery has words', async () => {
    const { page, faults, close } = await open('en-GB');
    expect(await page.inputValue('select[name=station]')).to.equal('garden');
    expect(await rowOf(page, 'iss')).to.equal(
      'iss roof Battery low since 10 Nov 2026, 13:00 2.25 V Lowest: 2.20 V, 10 Nov 2026, 13:00 −71 dBm, 98 % 11 Nov 2026, 13:00',
    );
    expect(await rowOf(page, 'wh65')).to.equal('wh65 roof ok – 11 Nov 2026, 13:00');
    expect(await rowOf(page, 'wh80')).to.equal(
      'wh80 roof Battery low since 1 Nov 2026, 13:00 – 11 Nov 2026, 13:00',
    );
    expect(await page.locator('.state.failed').count()).to.equal(2);
    expect(await page.locator('main img').count()).to.equal(0);
    await expectWellFormed(page, 'sensors');
    await page.selectOption('select[name=station]', 'silent');
    await page.waitForSelector('p:text("No source and no console of this station reports")');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are shown in German, and the list of stations leads to them', async () => {
    const { page, close } = await open('de-DE');
    expect(await rowOf(page, 'iss')).to.include('Batterie schwach seit 10.11.2026, 13:00');
    expect(await rowOf(page, 'iss')).to.include('2,25 V');
    await expectWellFormed(page, 'sensors');
    await page.click('.tabs a[href="#stations"]');
    await page.click('a[href="#sensors/garden"]');
    await page.waitForSelector('.state.failed:has-text("Batterie schwach")');
    await close();
  });
});
