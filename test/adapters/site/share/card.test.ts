import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { AddUser } from '#application/accounts/users/add-user.js';
import { CardPainter } from '#adapters/site/card/card-painter.js';
import type { CardRequest, Renderer } from '#adapters/site/renderer.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { TRANSPORTS } from '#composition/modules/transports.js';
import { packageFile } from '#composition/package-info.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { Place } from '../../../support/place.js';
import { STATION } from '../../../support/weather-world.js';

const PATH = '/stations/JFK/card.png';
const SIGNATURE = '89504e470d0a1a0a';
const TIME = '2026-01-05T17:51:00Z';

/** Width and height in the header of a PNG file. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

for (const transport of Object.keys(TRANSPORTS))
  describe(`the picture of a station, on ${transport}`, () => {
    let place: Place;
    let service: Service;

    before(async () => {
      place = await Place.ready('sqlite');
      service = await place.serve({ WEATHERD_EXTERNAL_TRANSPORT: transport });
      const { application } = service;
      const hidden = { ...STATION, id: 'HID', visibility: 'hidden' as const };
      await application.useCase(PutStations).execute([STATION, hidden], COMMAND_LINE);
      const columns = [{ variable: 'air_temperature', unit: undefined, values: Float64Array.of(5) }];
      for (const stations of ['JFK', 'HID'])
        await application
          .useCase(RecordObservations)
          .execute({ stations, times: Float64Array.of(Date.parse(TIME)), columns }, COMMAND_LINE);
      const ada = { name: 'ada', email: null, password: PASSWORD, administrator: true };
      await application.useCase(AddUser).execute(ada, COMMAND_LINE);
    });
    after(async () => {
      await service.stop();
      await place.remove();
    });

    const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(service.externalUrl + path, { headers, method });

    it('is a PNG of 1200 × 630 pixels, which other sites may show', async () => {
      const reply = await get(PATH);
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('image/png');
      expect(reply.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
      expect(reply.headers.get('cache-control')).to.equal('public, max-age=60');
      const png = Buffer.from(await reply.arrayBuffer());
      expect(png.subarray(0, 8).toString('hex')).to.equal(SIGNATURE);
      expect(sizeOf(png)).to.deep.equal([1200, 630]);
    });

    it('has a version: 304 for whoever has it, HEAD without a body, and the same for unknown parameters', async () => {
      const etag = (await get(PATH)).headers.get('etag') ?? '';
      expect(etag).to.match(/^"[\w-]{16}"$/);
      const known = await get(PATH, { 'if-none-match': etag });
      expect([known.status, (await known.arrayBuffer()).byteLength]).to.deep.equal([304, 0]);
      const head = await get(PATH, {}, 'HEAD');
      expect(Number(head.headers.get('content-length'))).to.be.greaterThan(1000);
      expect((await head.arrayBuffer()).byteLength).to.equal(0);
      for (const query of ['?x=1', '?theme=blue', '?lang=en', '?units=metric'])
        expect((await get(PATH + query)).headers.get('etag'), query).to.equal(etag);
      for (const query of ['?lang=de', '?units=imperial', '?theme=dark'])
        expect((await get(PATH + query)).headers.get('etag'), query).not.to.equal(etag);
      const german = { 'accept-language': 'de', cookie: 'weatherd=units=imperial' };
      expect((await get(PATH, german)).headers.get('etag'), 'only the query chooses').to.equal(etag);
    });

    it('exists for whoever may see the station', async () => {
      for (const id of ['nowhere', 'HID']) {
        const reply = await get(`/stations/${id}/card.png`);
        expect([reply.status, ((await reply.json()) as { error: string }).error], id).to.deep.equal([
          404,
          'STATION_UNKNOWN',
        ]);
      }
      const authorization = `Bearer ${await tokenOf(service)}`;
      const shown = await get('/stations/HID/card.png', { authorization });
      expect([shown.status, shown.headers.get('cache-control')]).to.deep.equal([200, 'private, no-cache']);
      expect((await get(PATH, { authorization: 'Bearer planted' })).status).to.equal(401);
    });

    it('needs a token if reading needs one', async () => {
      const closedPlace = await Place.ready('sqlite');
      const closed = await closedPlace.serve({
        WEATHERD_EXTERNAL_TRANSPORT: transport,
        WEATHERD_READ_ACCESS: 'token',
      });
      await closed.application.useCase(PutStations).execute([STATION], COMMAND_LINE);
      const ada = { name: 'ada', email: null, password: PASSWORD, administrator: true };
      await closed.application.useCase(AddUser).execute(ada, COMMAND_LINE);
      expect((await fetch(closed.externalUrl + PATH)).status).to.equal(401);
      const headers = { authorization: `Bearer ${await tokenOf(closed)}` };
      expect((await fetch(closed.externalUrl + PATH, { headers })).status).to.equal(200);
      await closed.stop();
      await closedPlace.remove();
    });
  });

const PASSWORD = 'correct horse battery staple';

async function tokenOf({ externalUrl }: Service): Promise<string> {
  const reply = await fetch(`${externalUrl}/v1/auth/authenticate/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', email: null, password: PASSWORD }),
  });
  return ((await reply.json()) as { token: string }).token;
}

describe('the picture of a station as SVG', () => {
  let drawCard: Renderer['drawCard'];
  let painter: CardPainter;

  before(async () => {
    ({ drawCard } = (await import(packageFile('dist/site/render.js').href)) as Renderer);
    painter = new CardPainter(packageFile('dist/site/card/'));
  });
  after(() => painter.close());

  /** The picture of a station with these replies of the API. */
  const draw = (
    latest: object,
    { search = '', name = 'Garden', recorded = undefined as number | undefined } = {},
  ) => {
    const read: CardRequest['read'] = (target) => {
      if (target === '/v1/stations/a')
        return Promise.resolve({
          station: { name, time_zone: 'Europe/Oslo', ...(recorded !== undefined && { recorded }) },
        });
      if (target.startsWith('/v1/stations/a/observations/latest'))
        return Promise.resolve({
          units: { air_temperature: '°C' },
          last_seen: 'air_temperature' in latest ? TIME : null,
          latest,
        });
      if (target.startsWith('/v1/stations/a/observations?')) return Promise.resolve(DAY);
      if (target === '/v1/stations/a/now') return Promise.resolve({ facts: FACTS });
      return Promise.reject(Object.assign(new Error('There is nothing.'), { code: 'ROUTE_NOT_FOUND' }));
    };
    return drawCard({ station: 'a', search, read });
  };
  const hour = (hours: number) => Date.parse(TIME) / 1000 - hours * 3600;
  const DAY = {
    observations: { time: [hour(2), hour(1), hour(0)], air_temperature: [4, 4.5, 31] },
    quality: [{ variable: 'air_temperature', index: 2, verdict: 'suspect', checks: ['step'] }],
  };
  const FACTS = [
    { code: 'temperature', value: 5, unit: '°C', time: TIME, verdict: 'pass', trend: 'falling' },
    { code: 'rain', from: '2026-01-05T15:10:00Z', amount: 2.34 },
    { code: 'unusual', difference: -4.6, direction: 'colder', date: '01-05' },
  ];
  const good = { air_temperature: { value: 5, verdict: 'pass', time: TIME } };

  it('has the name, the value, and the time at the station', async () => {
    const svg = await draw(good);
    expect(svg)
      .to.match(/>Garden</)
      .and.match(/>5\.0</)
      .and.match(/>°C</);
    expect(svg).to.match(/5 January.*18:51/);
  });

  it('has the facts: the trend and the distance from the usual in large type, the others in small type', async () => {
    const words = (await draw(good)).replace(/<[^>]*>/g, ' ').replace(/ +/g, ' ');
    expect(words).to.include('Falling. 5 degrees colder than usual for 5 January.');
    expect(words).to.include('Rain since 16:10, 2.3 mm so far.');
  });

  it('says in which year the values of a demo were recorded', async () => {
    expect(await draw(good, { recorded: 2013 })).to.include('Recorded in 2013.');
    expect(await draw(good)).not.to.include('Recorded');
    expect(await draw(good, { recorded: 2013, search: 'lang=nl' })).to.include('Gemeten in 2013.');
  });

  it('has no doubtful value, also if no good one is known', async () => {
    const svg = await draw({
      air_temperature: { value: 31, verdict: 'suspect', time: '2026-01-07T17:51:00Z' },
    });
    expect(svg).not.to.match(/31\.0/);
  });

  it('has the units, the language and the theme of the query', async () => {
    expect(await draw(good, { search: 'units=imperial' }))
      .to.match(/>41\.0</)
      .and.match(/>°F</);
    expect(await draw(good, { search: 'lang=de' }))
      .to.match(/>5,0</)
      .and.match(/5\. Januar/);
    const [light, dark] = [await draw(good), await draw(good, { search: 'theme=dark' })];
    expect(dark.length).to.equal(light.length).and.not.equal(0);
    expect(dark).not.to.equal(light);
  });

  it('has the last good value with its time, if the newest one is doubtful', async () => {
    const svg = await draw({ air_temperature: { value: 31, verdict: 'suspect', time: TIME } });
    expect(svg)
      .to.match(/>4\.5</)
      .and.match(/17:51/)
      .and.not.match(/31\.0/);
  });

  it('has only the name without data', async () => {
    const svg = await draw({});
    expect(svg)
      .to.match(/>Garden</)
      .and.not.match(/°C|–|January/);
  });

  it('has no style sheet, no class and no address, and can be drawn for every name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), async (name) => {
        const svg = await draw(good, { name });
        expect(svg).not.to.match(/<style|class=|style=|href=/);
        const { png } = await painter.paint(svg, 'one');
        expect(sizeOf(Buffer.from(png))).to.deep.equal([1200, 630]);
      }),
      { numRuns: 8, examples: [['<b>&"\'</b>'], ['𝒳'.repeat(200)], ['雨の庭'], ['W'.repeat(200)]] },
    );
  });
});

describe('the painter of pictures', () => {
  let painter: CardPainter;
  before(() => {
    painter = new CardPainter(packageFile('dist/site/card/'));
  });
  after(() => painter.close());

  const square = (color: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#${color}"/></svg>`;

  it('draws a picture once, also if several visitors ask at the same time', async () => {
    const [one, other] = await Promise.all([
      painter.paint(square('f00'), 'a'),
      painter.paint(square('f00'), 'b'),
    ]);
    expect(other.png).to.equal(one.png);
    expect((await painter.paint(square('f00'), 'c')).png).to.equal(one.png);
    expect((await painter.paint(square('0f0'), 'c')).tag).not.to.equal(one.tag);
  });

  it('refuses what would wait too long, first the visitor who asks for most', async () => {
    const ask = (count: number, network: string) =>
      Array.from({ length: count }, (_, index) =>
        painter.paint(square(`${network}${index.toString(16).padStart(5, '0')}`), network).then(
          () => 'drawn',
          ({ code }: { code: string }) => code,
        ),
      );
    const greedy = ask(100, 'a');
    const modest = ask(1, 'b');
    expect((await Promise.all(greedy)).filter((result) => result === 'drawn')).to.have.length(6);
    expect(await Promise.all(modest)).to.deep.equal(['drawn']);
    const many = ['0', '1', '2', '3', '4', '5', '6', '7'].flatMap((network) => ask(6, network));
    const results = await Promise.all(many);
    expect(results.filter((result) => result === 'drawn')).to.have.length(24);
    expect(new Set(results)).to.deep.equal(new Set(['drawn', 'SERVICE_UNAVAILABLE']));
    expect(await Promise.all(ask(1, '0')), 'later there is room again').to.deep.equal(['drawn']);
  });

  it('loads nothing before the first picture, and fails alone if its files are missing', async () => {
    const broken = new CardPainter(packageFile('dist/site/nowhere/'));
    const error: unknown = await broken.paint(square('f00'), 'a').catch((reason: unknown) => reason);
    expect(error).to.be.an('error');
    await broken.close();
    const folder = packageFile('dist/service/');
    const users = readdirSync(folder).filter(
      (name) => name.endsWith('.js') && readFileSync(new URL(name, folder), 'utf8').includes('resvg.wasm'),
    );
    expect(users).to.deep.equal(['paint-worker.js']);
  });
});
