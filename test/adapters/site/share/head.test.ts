import { expect } from 'chai';
import fc from 'fast-check';
import { publicOrigin } from '#adapters/site/public-origin.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { Service } from '#composition/service.js';
import { MILLISECONDS } from '#domain/time.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { header, request } from '#transport-suite/raw-http.js';
import { Place } from '../../../support/place.js';
import { STATION } from '../../../support/weather-world.js';

const HOST = 'weather.example.org';
/** The last minute, because the title of a silent station has a time. */
const TIME = Math.floor(Date.now() / MILLISECONDS.minute) * MILLISECONDS.minute;

/** A service with two stations, of which one has a temperature. */
async function serve(settings: Readonly<Record<string, string>>): Promise<[Place, Service]> {
  const place = await Place.ready('sqlite');
  const service = await place.serve(settings);
  const { application } = service;
  await application
    .useCase(PutStations)
    .execute([STATION, { ...STATION, id: 'LGA', name: 'La Guardia' }], COMMAND_LINE);
  const columns = [{ variable: 'air_temperature', unit: undefined, values: Float64Array.of(5) }];
  const rows = { stations: 'JFK', times: Float64Array.of(TIME), columns };
  await application.useCase(RecordObservations).execute(rows, COMMAND_LINE);
  return [place, service];
}

const ask = async ({ externalUrl }: Service, path: string, headers: readonly string[] = []) => {
  const reply = await request(
    externalUrl,
    [
      `GET ${path} HTTP/1.1`,
      `Host: ${HOST}`,
      'Accept: text/html',
      'Connection: close',
      ...headers,
      '',
      '',
    ].join('\r\n'),
  );
  return { ...reply, body: Buffer.from(reply.body, 'latin1').toString() };
};

/** The contents of the tags in the head of a page, by name, property or relation. */
function tagsOf(html: string): Readonly<Record<string, string>> {
  const [head = ''] = html.split('</head>');
  const tags = [
    ...head.matchAll(/<(?:meta|link) (?:name|property|rel)="([^"]+)" (?:content|href)="([^"]*)"/g),
  ];
  return {
    ...Object.fromEntries(tags.map(([, name = '', value = '']) => [name, value])),
    title: /<title>([^<]*)/.exec(head)?.[1] ?? '',
  };
}

describe('the head of each page', () => {
  let place: Place;
  let service: Service;

  before(async () => {
    [place, service] = await serve({ WEATHERD_EXTERNAL_TLS_TERMINATED: 'true' });
  });
  after(async () => {
    await service.stop();
    await place.remove();
  });

  /** Each page: its canonical address if search engines may list it, its title, and its picture. */
  const pages: readonly (readonly [
    path: string,
    canonical: string | undefined,
    title: RegExp,
    picture: RegExp,
  ])[] = [
    ['/', '/', /^Weather stations/, /icon-512/],
    [
      '/stations/JFK',
      '/stations/JFK',
      /^5\.0 °C · /,
      new RegExp(`/stations/JFK/card\\.png\\?v=${TIME / 1000}$`),
    ],
    [
      '/stations/JFK?lang=de&units=imperial',
      '/stations/JFK',
      /^41,0 °F · /,
      /card\.png\?lang=de&amp;units=imperial&amp;v=/,
    ],
    ['/stations/LGA', '/stations/LGA', /^La Guardia · weatherd$/, /\/stations\/LGA\/card\.png$/],
    ['/kiosk/JFK', undefined, /^5\.0 °C · /, /\/stations\/JFK\/card\.png/],
    ['/embed/JFK', undefined, /^5\.0 °C · /, /\/stations\/JFK\/card\.png/],
    ['/admin', undefined, /^Administration/, /icon-512/],
    ['/stations/nowhere', undefined, /^Page not found/, /icon-512/],
    ['/nowhere', undefined, /^Page not found/, /icon-512/],
  ];
  for (const [path, canonical, title, picture] of pages)
    it(`describes ${path} for search engines and previews, under the address of the visitor`, async () => {
      const tags = tagsOf((await ask(service, path)).body);
      const origin = `https://${HOST}`;
      expect(tags['canonical']).to.equal(canonical && origin + canonical);
      expect(tags['robots']).to.equal(canonical === undefined ? 'noindex' : undefined);
      expect(tags['title']).to.match(title).and.equal(tags['og:title']);
      expect(tags['description']).to.equal(tags['og:description']).and.not.equal('');
      expect(tags['og:image']).to.match(picture);
      for (const name of ['og:url', 'og:image']) expect(tags[name], name).to.match(new RegExp(`^${origin}/`));
      expect(tags['twitter:card']).to.equal(/card/.test(picture.source) ? 'summary_large_image' : 'summary');
      expect(tags['apple-touch-icon']).to.equal('/apple-touch-icon.png');
      const manifest = await ask(service, tags['manifest'] ?? '');
      expect(JSON.parse(manifest.body)).to.include({ display: 'standalone', scope: '/' });
    });

  it('describes the page about the API, which is the same for everyone', async () => {
    const { body } = await ask(service, '/docs');
    expect(tagsOf(body)).to.include({ canonical: '/docs', manifest: '/manifest.webmanifest' });
    expect(tagsOf(body)['description']).not.to.equal(undefined);
  });

  it('shows a picture that exists', async () => {
    const address = new URL(tagsOf((await ask(service, '/stations/JFK')).body)['og:image'] ?? '');
    const picture = await fetch(service.externalUrl + address.pathname + address.search);
    expect([picture.status, picture.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
  });

  it('never takes an address from a header that anybody can send', async () => {
    const planted = [
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: ftp',
      'Forwarded: host=evil.example',
    ];
    expect((await ask(service, '/stations/JFK', planted)).body).not.to.match(/evil|ftp:/);
  });

  it('installs as an app with the name of the station', async () => {
    const { body } = await ask(service, '/stations/LGA/manifest.webmanifest');
    expect(JSON.parse(body)).to.include({ name: 'La Guardia', start_url: '/stations/LGA' });
    expect((await ask(service, '/stations/nowhere/manifest.webmanifest')).status).to.equal(404);
  });

  for (const [path, type] of [
    ['/favicon.ico', 'image/vnd.microsoft.icon'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
  ] as const)
    it(`has ${path}`, async () => {
      const reply = await ask(service, path);
      expect([reply.status, header(reply, 'content-type')]).to.deep.equal([200, type]);
    });

  it('lets search engines read the pages, but not the API, nor pages for screens and other sites', async () => {
    const closed = [...(await ask(service, '/robots.txt')).body.matchAll(/^Disallow: (.*)$/gm)].map(
      ([, path = '']) => path,
    );
    const mayRead = (path: string) => !closed.some((begin) => path.startsWith(begin));
    for (const [path, canonical] of pages)
      if (canonical !== undefined) expect(mayRead(path), path).to.equal(true);
    expect(mayRead('/stations/JFK/card.png')).to.equal(true);
    for (const path of ['/v1/stations', '/admin', '/kiosk/JFK', '/embed/JFK'])
      expect(mayRead(path), path).to.equal(false);
  });
});

describe('the head of each page, if reading needs a token', () => {
  it('tells nothing, and search engines may read nothing', async () => {
    const [place, service] = await serve({ WEATHERD_READ_ACCESS: 'token' });
    expect((await ask(service, '/robots.txt')).body).to.equal('User-agent: *\nDisallow: /\n');
    for (const path of ['/', '/stations/JFK', '/kiosk/JFK', '/embed/JFK']) {
      const { body } = await ask(service, path);
      expect(body, path).not.to.match(/5\.0|card\.png|Kennedy/);
      expect(tagsOf(body)['robots'], path).to.equal('noindex');
    }
    expect((await ask(service, '/stations/JFK/manifest.webmanifest')).status).to.equal(404);
    await service.stop();
    await place.remove();
  });
});

describe('the public origin', () => {
  it('is that of a host, with the scheme of the service', () => {
    expect(publicOrigin('a.example:8080', false)).to.equal('http://a.example:8080');
    expect(publicOrigin('A.example', true)).to.equal('https://a.example');
    expect(publicOrigin('[::1]:80', false)).to.equal('http://[::1]:80');
    expect(publicOrigin(undefined, true)).to.equal(undefined);
  });

  it('contains nothing but a host', () => {
    const characters = fc.constantFrom(...'aZ0.-:[]/@?#\\ "<>%\n'.split(''));
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 12 }), (parts) => {
        const host = parts.join('');
        const origin = publicOrigin(host, true);
        if (origin !== undefined) expect(origin).to.match(/^https:\/\/[\w.:[\]-]+$/);
        else expect(/^[a-z0-9]+$/i.test(host)).to.equal(false);
      }),
    );
  });
});
