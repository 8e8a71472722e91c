import { join } from 'node:path';
import { expect } from 'chai';
import { CheckForecasts, type DamagedForecast } from '#application/operation/check-forecasts.js';
import type { Stores } from '#application/ports/stores.js';
import {
  EVERY,
  forecastApi,
  forecastReplies,
  forecastRepliesAt,
  ISSUES,
  LEARNED_UNTIL,
  learnForecasts,
} from '../../support/learned-forecasts.js';
import { Place, storeNames } from '../../support/place.js';
import { Workplace } from '../../support/process.js';
import { RawStore } from '../../support/raw-store.js';

const text = (time: number) => new Date(time).toISOString().replace('.000', '');
const [NEWEST, BEFORE] = [LEARNED_UNTIL, LEARNED_UNTIL - EVERY].map(text) as [string, string];
const PART = NEWEST.slice(0, 13);
const UNREADABLE = 'cannot be read';

const cut = (stored: string) => stored.slice(0, -10);
/** Replaces the first match. Fails if there is none. */
const swap = (pattern: RegExp, by: string) => (stored: string) => {
  expect(stored).to.match(pattern);
  return stored.replace(pattern, by);
};
/** A status with the code of an error, or the part of a successful reply that the test expects. */
type Reads = Readonly<Record<string, number | string>>;

interface Case {
  readonly what: string;
  /** End of the name of the record. */
  readonly record: string;
  readonly damage: (stored: string) => string;
  readonly finding: Omit<DamagedForecast, 'station' | 'provider' | 'outcome'>;
  /** Replies with the damage: the status, or for `/forecast` the time of issue. */
  readonly reads: Reads;
  readonly outcome: DamagedForecast['outcome'];
  /** Replies after the damage was discarded. By default all replies are those from before the damage. */
  readonly after?: Reads;
}

const issued = (what: string, damage: Case['damage'], finding: Partial<Case['finding']> = {}): Case => ({
  what: `an issued forecast with ${what}`,
  record: PART,
  damage,
  finding: { record: 'issued', time: NEWEST, reason: UNREADABLE, ...finding },
  reads: { '/forecast': BEFORE, [`/forecast?issued=${NEWEST}`]: 503, '/forecast/verification': 200 },
  outcome: 'removed',
  after: { '/forecast': BEFORE, [`/forecast?issued=${NEWEST}`]: BEFORE },
});
const learned = (what: string, damage: Case['damage'], reason = UNREADABLE): Case => ({
  what: `what was learned with ${what}`,
  record: '/learned/',
  damage,
  finding: { record: 'learned', time: null, reason },
  reads: { '/forecast': NEWEST, '/forecast/verification': 200 },
  outcome: 'computed again',
});
const scores = (what: string, damage: Case['damage'], reason = UNREADABLE): Case => ({
  what: `scores with ${what}`,
  record: '/2026-05',
  damage,
  finding: { record: 'scores', time: '2026-05', reason },
  reads: { '/forecast': NEWEST, '/forecast/verification': 503, '/forecast/verification?since=2026-06': 200 },
  outcome: 'computed again',
});

const CASES: readonly Case[] = [
  issued('a cut text', cut),
  issued('another begin', (stored) => `x${stored.slice(1)}`, { time: PART }),
  issued('columns of another length', (stored) =>
    stored.replace(/"n":(\d+)/, (_, hours: string) => `"n":${Number(hours) + 1}`),
  ),
  issued('a huge length', swap(/"n":\d+/, '"n":1e15')),
  issued('hours out of order', (stored) => {
    const hours = Number(/"n":(\d+)/.exec(stored)?.[1]);
    return stored.replace(/"t":"([^~]*)~[^"]*"/, (_, first: string) => `"t":"${first}${'D'.repeat(hours - 1)}"`);
  }),
  issued('an hour that is absent', swap(/"t":"[^~]*~/, '"t":"!~')),
  issued('an unknown digit', swap(/"v":\{"1":"./, '"v":{"1":"?')),
  issued('an unknown variable', swap(/"v":\{"1"/, '"v":{"999"')),
  issued('a missing class of leads', swap(/"p":\{"1":"\d/, '"p":{"1":"')),
  issued('another time of issue', swap(new RegExp(`"i":${LEARNED_UNTIL}`), `"i":${LEARNED_UNTIL - EVERY}`), {
    time: BEFORE,
    reason: 'belongs to other hours',
  }),
  learned('a cut text', cut),
  learned('a number that is not finite', swap(/"bias":[^,]*/, '"bias":null'), 'bias is not a finite number'),
  learned('a missing class of leads', (stored) => {
    const state = JSON.parse(stored) as { errors: [number, unknown[]][] };
    state.errors[0]?.[1].pop();
    return JSON.stringify(state);
  }, 'the list of classes of leads has 11 entries instead of 12'),
  learned('a time that is no number', swap(/"until":\d+/, '"until":"x"'), 'until is not a finite number'),
  scores('a cut text', cut),
  scores('a sum that is not finite', swap(/"absolute":[^,]*/, '"absolute":null'), 'absolute is not a finite number'),
  scores('an end before their month', swap(/"until":\d+/, '"until":0'), 'ends before its month begins'),
  {
    what: 'the time of the first forecast',
    record: '/first',
    damage: () => 'soon',
    finding: { record: 'first', time: null, reason: 'is not a time' },
    reads: { '/forecast': NEWEST, '/forecast/verification': 503 },
    outcome: 'computed again',
  },
  {
    what: 'an order',
    record: '/order',
    damage: cut,
    finding: { record: 'order', time: null, reason: UNREADABLE },
    reads: { '/forecast': 503, '/forecast/verification': 503, '/observations/latest': 200 },
    outcome: 'removed',
    after: { '/forecast': 404, [`/forecast?issued=${NEWEST}`]: NEWEST, '/forecast/verification': 200 },
  },
  {
    what: 'the state of an order',
    record: '/state',
    damage: cut,
    finding: { record: 'state', time: null, reason: UNREADABLE },
    reads: { '/forecast': NEWEST, '/forecast/verification': 200 },
    outcome: 'removed',
  },
];

for (const store of storeNames)
  describe(`damaged forecasts in ${store}`, function () {
    this.timeout(300_000);
    let place: Place;
    let stores: Stores;
    let raw: RawStore;
    let sound: readonly Readonly<Record<string, unknown>>[];
    let expected: readonly string[];

    before(async () => {
      place = await Place.ready(store);
      stores = await place.open();
      raw = new RawStore(place);
      await learnForecasts(stores);
      sound = await raw.run('SELECT name, text FROM @upload_record');
      expected = await forecastReplies(stores);
    });
    after(async () => {
      await stores.close();
      await place.remove();
    });
    afterEach(async () => {
      await raw.run('DELETE FROM @upload_record');
      await raw.run(
        `INSERT INTO @upload_record (name, revision, time, text) VALUES ${sound.map(() => '(?, 1, ?, ?)').join(', ')}`,
        sound.flatMap(({ name, text: stored }) => [name, LEARNED_UNTIL, stored]),
      );
    });

    const damage = async (record: string, edit: (stored: string) => string) => {
      const found = sound.filter(({ name }) => String(name).endsWith(record));
      expect(found, record).to.have.lengthOf(1);
      const stored = String(found[0]?.['text']);
      expect(edit(stored)).not.to.equal(stored);
      await raw.run('UPDATE @upload_record SET text = ? WHERE name = ?', [edit(stored), found[0]?.['name']]);
    };
    const expectReads = async (url: string, reads: Reads, when: string) => {
      for (const [path, wanted] of Object.entries(reads)) {
        const reply = await fetch(url + path);
        const body = (await reply.json()) as { issued?: string; code?: string; message?: string };
        const got = typeof wanted === 'string' ? body.issued : reply.status;
        expect([when, path, got]).to.deep.equal([when, path, wanted]);
        if (reply.status === 503) expect(body.message).to.match(/"garden".* (?:is|are) damaged and cannot be read\.$/);
      }
    };

    it('are not found where nothing is damaged', async () => {
      const { world, url, close } = await forecastApi(stores);
      expect(await world.get(CheckForecasts).execute(true)).to.deep.equal([]);
      expect(await forecastRepliesAt(url)).to.deep.equal(expected);
      await close();
    });

    for (const { what, record, damage: edit, finding, reads, outcome, after: later } of CASES)
      it(`are found, and removed alone: ${what}`, async () => {
        await damage(record, edit);
        const { world, url, close } = await forecastApi(stores);
        await expectReads(url, reads, 'damaged');
        const check = world.get(CheckForecasts);
        const provider = record === '/order' || record === '/state' ? null : 'open-meteo';
        const found = { station: 'garden', provider, ...finding };
        expect(await check.execute(false)).to.deep.equal([{ ...found, outcome: null }]);
        expect(await check.execute(true)).to.deep.equal([{ ...found, outcome }]);
        expect(await check.execute(false)).to.deep.equal([]);
        if (later === undefined) expect(await forecastRepliesAt(url)).to.deep.equal(expected);
        else await expectReads(url, later, 'discarded');
        await close();
      });

    it('are refused if no forecast that is new enough can be read', async () => {
      await raw.run("UPDATE @upload_record SET text = substr(text, 1, 50) WHERE name LIKE 'forecast-issued/%'");
      const { world, url, close } = await forecastApi(stores);
      await expectReads(url, { '/forecast': 503, '/observations/latest': 200 }, 'damaged');
      const found = await world.get(CheckForecasts).execute(true);
      expect(found).to.have.lengthOf(ISSUES);
      await expectReads(url, { '/forecast': 404, '/forecast/verification': 200 }, 'discarded');
      await close();
    });

    it('are gone if their forecasts were removed because of their age', async () => {
      await damage('/2026-05', cut);
      await raw.run("DELETE FROM @upload_record WHERE name LIKE 'forecast-issued/%'");
      const { world, url, close } = await forecastApi(stores);
      const [found] = await world.get(CheckForecasts).execute(true);
      expect(found).to.include({ record: 'scores', outcome: 'removed' });
      const reply = await fetch(`${url}/forecast/verification`);
      expect(await reply.json()).to.have.property('since', '2026-06');
      await close();
    });

    it('of a station that does not exist are found and removed', async () => {
      await raw.run(
        `INSERT INTO @upload_record (name, revision, time, text)
         SELECT replace(name, 's/1/', 's/77/'), 1, time, text FROM @upload_record WHERE name LIKE 'forecasts/1/%'`,
      );
      const { world, url, close } = await forecastApi(stores);
      const check = world.get(CheckForecasts);
      const base = { station: null, record: 'series', time: null, outcome: null };
      const end = 'belong to the station number 77, which does not exist';
      expect(await check.execute(false)).to.have.deep.members([
        { ...base, provider: 'open-meteo', reason: `4 records ${end}` },
        { ...base, provider: null, reason: `1 record ${end.replace('belong', 'belongs')}` },
      ]);
      await check.execute(true);
      expect(await check.execute(false)).to.deep.equal([]);
      expect(await forecastRepliesAt(url)).to.deep.equal(expected);
      await close();
    });

    if (store === 'sqlite')
      it('are in a backup too, and the command names and discards them', async () => {
        await damage('/learned/', cut);
        await damage(PART, cut);
        const shell = await Workplace.make();
        const restored = await Place.make(store);
        const run = (folder: string, ...command: string[]) =>
          shell.run(command, '', { WEATHERD_DATA_DIR: folder });
        const file = join(shell.folder, 'backup.db');
        expect(await run(place.folder, 'backup', file)).to.include({ status: 0 });
        expect(await run(restored.folder, 'restore', file)).to.include({ status: 0 });
        const found = await run(restored.folder, 'check');
        expect(found.status).to.equal(1);
        expect(found.stdout).to.match(/^garden +open-meteo +issued forecast +\S+Z +cannot be read$/m);
        expect(found.stdout).to.match(/^garden +open-meteo +what was learned +- +cannot be read$/m);
        expect(found.stderr).to.contain('weatherd check --discard');
        const discarded = await run(restored.folder, 'check', '--discard');
        expect(discarded.status, discarded.stderr).to.equal(0);
        expect(discarded.stdout).to.match(/issued forecast .*cannot be read; removed$/m);
        expect(discarded.stdout).to.match(/what was learned .*cannot be read; computed again$/m);
        expect(await run(restored.folder, 'check')).to.include({ status: 0 });
        await shell.remove();
        await restored.remove();
      });
  });
