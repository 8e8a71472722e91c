import { expect } from 'chai';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { CardPainter } from '#adapters/site/card/card-painter.js';
import { openSite } from '#adapters/site/site.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { ListPendingUploads } from '#application/uploads/pending/list-pending-uploads.js';
import { makeDialectEndpoints, makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { packageFile } from '#composition/package-info.js';
import type { Service } from '#composition/service.js';
import { KeptConnections } from '../support/kept-connections.js';
import { Place } from '../support/place.js';
import { STATION } from '../support/weather-world.js';
import { CALLER, UPLOAD_REACH } from '../support/world.js';

/** Ids of equal length, which are no part of a path, a parameter or a text of the service. */
const HIDDEN = 'zqhidden';
const UNKNOWN = 'zqabsent';
const PUBLIC = 'JFK';
const WRONG = '0'.repeat(26);

/** Media types that are requested with each method. Only a reply to GET, and to HEAD as to GET, depends on them. */
const ACCEPTS = ['*/*', 'text/html', 'application/geo+json', 'text/csv', 'text/event-stream'];
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  GET: ACCEPTS,
  ...Object.fromEntries(
    ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, ['*/*']]),
  ),
};
const TIME = '2026-01-01%2000%3A00%3A00';

/** Uploads of each protocol that has the id of a station, with a wrong key and without one. */
const UPLOADS: readonly ((id: string) => string)[] = [
  ...[`&PASSWORD=${WRONG}`, '&PASSWORD=secret', ''].flatMap((password) => [
    (id: string) =>
      `GET /weatherstation/updateweatherstation.php?ID=${id}${password}&tempf=50&dateutc=${TIME}`,
    (id: string) => `GET /weatherstation/updateweatherstation.php?ID=${id}${password}&tempf=50&realtime=1`,
    (id: string) => `HEAD /weatherstation/updateweatherstation.php?ID=${id}${password}&tempf=50`,
    (id: string) => `GET /weatherstation/updateweatherstation.php?ID=${id}${password}`,
    (id: string) =>
      `GET /weatherstation/updateweatherstation.php?ID=${id}${password}&dateutc=2099-01-01&tempf=x`,
    (id: string) => `GET /pwsupdate/pwsupdate.php?ID=${id}${password}&tempf=50&dateutc=${TIME}`,
  ]),
  ...[`&siteAuthenticationKey=${WRONG}`, '&siteAuthenticationKey=123456', ''].flatMap((key) => [
    (id: string) => `GET /automaticreading?siteid=${id}${key}&tempf=50&dateutc=${TIME}`,
    (id: string) => `GET /api/v2/send?siteid=${id}${key}&tempf=50&dateutc=${TIME}`,
  ]),
  ...[`&wspw=${WRONG}`, '&wspw=secret', ''].map(
    (password) => (id: string) => `GET /data/upload.php?wsid=${id}${password}&t1tem=5`,
  ),
  (id) => `GET /u/${id}/?PASSKEY=A&tempf=50`,
  (id) => `GET /u/${WRONG}/weatherstation/updateweatherstation.php?ID=${id}&PASSWORD=${WRONG}&tempf=50`,
  (id) => `GET /data/report/?PASSKEY=${id}&stationtype=GW1000&tempf=50`,
  (id) => post(`/?appid=${WRONG}`, `[{"station_id":"${id}","dt":1767225600,"temperature":5}]`),
  (id) => post('/', `{"station_id":"${id}","dt":1767225600,"temperature":5}`),
  (id) => post('/api/v2/send/wow', `{"siteid":"${id}","siteAuthenticationKey":"${WRONG}","tempf":50}`),
  (id) => post('/', `{"end_device_ids":{"device_id":"${id}"},"uplink_message":{"decoded_payload":{"t":1}}}`),
  (id) => post(`/u/${WRONG}/${id}`, '{"air_temperature":5}'),
];

function post(target: string, body: string): string {
  return `POST ${target} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX: y\r\n\r\n${body}`;
}

/** Sends a request line, or a whole request from which only the host is missing. */
async function exchange(
  server: KeptConnections,
  text: string,
  headers: readonly string[] = [],
): Promise<string> {
  const [line = '', rest] = text.includes('\r\n') ? [text.slice(0, text.indexOf('\r\n')), text] : [text];
  const start = rest === undefined ? `${line} HTTP/1.1` : line;
  const more = ['Host: localhost', ...headers];
  const tail = rest === undefined ? '\r\n' : rest.slice(line.length + 2);
  return await server.exchange(`${[start, ...more].join('\r\n')}\r\n${tail}`);
}

/** A reply without what differs from request to request, and with the same id in place of either. */
function comparable(reply: string, id: string): string {
  return (
    reply
      .replace(/^date: .*\r\n/im, '')
      .replace(/^x-request-id: .*\r\n/im, '')
      .replace(/^(ratelimit[^:]*): .*\r\n/gim, '$1\r\n')
      .replace(/^(etag): .*\r\n/im, '$1\r\n')
      .replace(/"timeStamp":"[^"]*"/, '')
      // The minute of a page. The other reply may be of the next minute.
      .replace(/"now":\d+/, '')
      .replaceAll(id, 'ID')
      .replaceAll(id.toUpperCase(), 'ID')
  );
}

const REQUIRED: Readonly<Record<string, string>> = {
  summaries: 'interval=day',
  derived: 'variables=heat_index',
};

/** Each transport and each read access once. Neither decides about the other. */
const SERVICES = [
  ['express', 'public'],
  ['fastify', 'token'],
] as const;

for (const [transport, readAccess] of SERVICES) {
  const isVisible = readAccess === 'public';
  describe(`ids of stations that visitors do not see › ${transport}, WEATHERD_READ_ACCESS=${readAccess}`, () => {
    let place: Place;
    let service: Service;
    let api: KeptConnections;
    let uploads: KeptConnections;
    let key: string;
    let endpoints: readonly AnyEndpoint[];
    before(async () => {
      place = await Place.make('sqlite');
      service = await place.serve({
        WEATHERD_EXTERNAL_TRANSPORT: transport,
        WEATHERD_READ_ACCESS: readAccess,
        WEATHERD_UPLOADS_ENABLED: 'true',
        WEATHERD_UPLOADS_PORT: '0',
        WEATHERD_EXTERNAL_TLS_TERMINATED: 'true',
        WEATHERD_RATE_LIMIT: '1000000',
      });
      api = new KeptConnections(service.externalUrl);
      uploads = new KeptConnections(service.uploadsUrl ?? '');
      const { application } = service;
      // Where nobody may read without a token, public stations are hidden too.
      const hidden = { ...STATION, id: HIDDEN, ...(isVisible && { visibility: 'hidden' as const }) };
      await application.useCase(PutStations).execute([STATION, hidden], CALLER);
      for (const station of [PUBLIC, HIDDEN]) {
        const times = Float64Array.of(Date.UTC(2026, 0, 1));
        const columns = [{ variable: 'air_temperature', unit: undefined, values: Float64Array.of(5) }];
        const rows = { stations: station, times, atIntervalEnd: false, columns };
        await application.useCase(RecordObservations).execute(rows, CALLER);
      }
      ({ secret: key } = await application.useCase(AddUploadKey).execute({ station: PUBLIC }, CALLER));
      await application.useCase(AddUploadKey).execute({ station: HIDDEN }, CALLER);
      endpoints = [
        ...makeExternalEndpoints(application.container, readAccess, UPLOAD_REACH),
        ...makeDialectEndpoints(application.container, readAccess, {
          feelsLike: 'apparent_temperature',
          openMeteoRadius: 20,
          addressOf: () => '',
        }),
      ];
    });
    after(async () => {
      await service.stop();
      await place.remove();
    });

    const expectAlike = async (
      server: KeptConnections,
      text: (id: string) => string,
      headers: string[] = [],
    ) => {
      const [hidden, unknown] = [
        await exchange(server, text(HIDDEN), headers),
        await exchange(server, text(UNKNOWN), headers),
      ];
      const request = `${text('ID')} ${headers.join()}`;
      // Without a body, the length of its time stamp cannot be seen. At a whole second it has no fraction.
      const isStamped = request.startsWith('HEAD /ogc/');
      const withoutLength = (reply: string) =>
        isStamped ? reply.replace(/^content-length: .*\r\n/im, '') : reply;
      expect(comparable(withoutLength(hidden), HIDDEN), request).to.equal(
        comparable(withoutLength(unknown), UNKNOWN),
      );
      expect(hidden, request).to.match(/^HTTP\/1\.1 \d{3} /);
      return hidden;
    };

    it('are answered as unknown ones on every route and page, with every method', async () => {
      const facts = { publicReads: isVisible, signIn: true, streetMap: false, command: 'weatherd' };
      const painter = service.application.container.get(CardPainter);
      const pages = (await openSite(packageFile('dist/site/'), facts, painter)).map(({ path }) => path);
      const paths = [...new Set([...endpoints.map(({ path }) => path), ...pages])];
      let count = 0;
      for (const path of paths) {
        const required = Object.entries(REQUIRED).find(([end]) => path.endsWith(end))?.[1] ?? '';
        const filled = (id: string) =>
          path
            .replace(/\{(?:id|name|station)\}/, id)
            .replace('{file}', '2026.txt')
            .replace('{collection}', 'observations')
            .replace(/\{[^}]*\}/g, '1');
        if (path.includes('{'))
          for (const [method, accepts] of Object.entries(ACCEPTED))
            for (const accept of accepts)
              for (const query of new Set([required, '', 'nonsense=1', `q=${PUBLIC}`])) {
                const target = (id: string) => `${filled(id)}${query === '' ? '' : `?${query}`}`;
                await expectAlike(api, (id) => `${method} ${target(id)}`, [`Accept: ${accept}`]);
                count += 1;
              }
      }
      expect(count).to.be.greaterThan(500);
    });

    it('are answered as unknown ones as parameters, in lists and beside known ones', async () => {
      const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
      let count = 0;
      for (const { path, query } of lists)
        for (const name of Object.keys(query?.shape ?? {}))
          for (const values of [
            (id: string) => id,
            (id: string) => `${PUBLIC},${id}`,
            (id: string) => `${id},${id}`,
          ]) {
            const required = Object.entries(REQUIRED).find(([end]) => path.endsWith(end))?.[1];
            const target = (id: string) =>
              `${path}?${name}=${values(id)}${required === undefined || required.startsWith(name) ? '' : `&${required}`}`;
            if (path === '/v1/events' && name !== 'stations') continue;
            await expectAlike(api, (id) => `GET ${target(id)}`);
            count += 1;
          }
      expect(count).to.be.greaterThan(50);
      for (const page of ['/', '/stations', '/map'])
        for (const name of ['q', 'station', 'stations', 'id'])
          await expectAlike(api, (id) => `GET ${page}?${name}=${id}`, ['Accept: text/html']);
    });

    it('are answered as unknown ones where somebody writes, also with the key of another station', async () => {
      const body = '{"observations":[{"time":"2026-01-01T00:00:00Z","air_temperature":1}]}';
      for (const authorization of [[], ['Authorization: Bearer nonsense'], [`Authorization: Bearer ${key}`]])
        for (const path of ['observations', 'summaries', 'import', ''])
          for (const method of ['POST', 'PUT', 'DELETE'])
            await expectAlike(
              api,
              (id) => post(`/v1/stations/${id}/${path}`, body).replace('POST', method),
              authorization,
            );
    });

    it('are answered as unknown ones by uploads of every protocol, and the owner sees that the key is wrong', async () => {
      for (const server of [uploads, api]) for (const upload of UPLOADS) await expectAlike(server, upload);
      const pending = await service.application.useCase(ListPendingUploads).execute();
      expect(pending.find(({ sentId }) => sentId === HIDDEN)).to.include({ isWrongKey: true });
      expect(pending.find(({ sentId }) => sentId === UNKNOWN)).to.include({ isWrongKey: false });
      const known = await exchange(
        uploads,
        `GET /weatherstation/updateweatherstation.php?ID=${PUBLIC}&PASSWORD=${WRONG}&tempf=50`,
      );
      expect(known).to.match(isVisible ? /^HTTP\/1\.1 401 / : /^HTTP\/1\.1 200 /);
    });
  });
}
