import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { TRANSPORTS } from '#composition/modules/transports.js';
import type { Service } from '#composition/service.js';
import type { Arrival, Upload } from '#domain/uploads/upload.js';
import { makeCertificate } from '../support/certificate.js';
import { Place } from '../support/place.js';
import { rejectionOf } from '../support/rejection.js';

const FIELDS = 'ID=garden&PASSWORD=secret&tempf=50';
const KEY = '0123456789abcdefghjkmnpqrs';
const UPLOADS = { WEATHERD_UPLOADS_ENABLED: 'true', WEATHERD_UPLOADS_PORT: '0' };

/** Every path that is served beside the API, with a request that a dialect recognizes. */
const REQUESTS: readonly (readonly [method: string, target: string, body: string, dialect: string])[] = [
  ['GET', `/weatherstation/updateweatherstation.php?${FIELDS}`, '', 'wunderground'],
  ['GET', `/weatherstation/updateweatherstation.asp?${FIELDS}`, '', 'wunderground'],
  ['GET', `/weatherstation/updateweatherstation?${FIELDS}`, '', 'wunderground'],
  ['GET', `/pwsupdate/pwsupdate.php?${FIELDS}`, '', 'pwsweather'],
  ['GET', '/automaticreading?siteid=garden&siteAuthenticationKey=1', '', 'wow'],
  ['GET', '/api/v2/send?siteid=garden&siteAuthenticationKey=1', '', 'wow'],
  ['POST', '/api/v2/send/wow', '{"siteid":"garden","siteAuthenticationKey":1}', 'wow'],
  ['POST', '/data/report/', 'PASSKEY=A&tempf=50', 'ecowitt'],
  ['GET', '/data/report?PASSKEY=A&stationtype=AMBWeatherV4', '', 'ambient'],
  ['GET', '/data/upload.php?wsid=garden&wspw=secret&t1tem=1', '', 'wslink'],
  ['POST', `/u/${KEY}/`, '{"air_temperature":1}', 'json'],
  ['POST', `/u/${KEY}/data/report/`, 'PASSKEY=A&tempf=50', 'ecowitt'],
];

describe('the listener for uploads in the service', () => {
  let place: Place;
  let service: Service | undefined;
  beforeEach(async () => (place = await Place.make('sqlite')));
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await place.remove();
  });

  /** Starts the service, with a use-case that only collects what it gets. */
  async function start(settings: Record<string, string>): Promise<[Upload, Arrival][]> {
    service = await place.serve(settings);
    const received: [Upload, Arrival][] = [];
    const receive = service.application.container.get(ReceiveUpload);
    sinon.stub(receive, 'execute').callsFake(async (upload, arrival) => {
      received.push([upload, arrival]);
      return { kind: 'stored' };
    });
    return received;
  }

  it('are off by default', async () => {
    await start({});
    expect(service?.uploadsUrl).to.equal(undefined);
    const response = await fetch(`${service?.externalUrl}/data/report/`, {
      method: 'POST',
      body: 'PASSKEY=A',
    });
    expect(response.status).to.equal(404);
  });

  it('have a listener, and no paths on an external API without TLS', async () => {
    const received = await start(UPLOADS);
    for (const [method, target, body, dialect] of REQUESTS) {
      const options = { method, ...(body !== '' && { body }) };
      expect((await fetch(`${service?.uploadsUrl}${target}`, options)).status, target).to.equal(200);
      expect(received.at(-1)?.[0].dialect).to.equal(dialect);
      expect((await fetch(`${service?.externalUrl}${target}`, options)).status, target).to.equal(404);
    }
    expect(received).to.have.length(REQUESTS.length);
    expect(received[0]?.[1].address).to.equal('127.0.0.1');
  });

  for (const transport of Object.keys(TRANSPORTS)) {
    it(`are taken by the external API with TLS on ${transport}`, async () => {
      const [cert] = makeCertificate(place.folder);
      const received = await start({
        ...UPLOADS,
        WEATHERD_EXTERNAL_TRANSPORT: transport,
        WEATHERD_EXTERNAL_TLS_CERT: `${place.folder}/cert.pem`,
        WEATHERD_EXTERNAL_TLS_KEY: `${place.folder}/key.pem`,
      });
      const url = new URL(service?.externalUrl ?? '');
      const ask = async (method: string, target: string, body: string) => {
        const options = {
          method,
          path: target,
          host: url.hostname,
          port: url.port,
          ca: cert,
          servername: 'localhost',
        };
        const headers = body === '' ? {} : { 'content-length': String(body.length) };
        const request = httpsRequest({ ...options, headers }).end(body);
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        const chunks: string[] = [];
        for await (const chunk of response) chunks.push(String(chunk));
        return { status: response.statusCode, headers: response.headers, text: chunks.join('') };
      };
      for (const [method, target, body, dialect] of REQUESTS) {
        const { status, headers, text } = await ask(method, target, body);
        expect(status, target).to.equal(200);
        expect(headers).to.include({ connection: 'close', 'content-length': String(text.length) });
        expect(headers).not.to.have.property('transfer-encoding');
        expect(text).to.match(/^[ -~]{2,40}$/);
        expect(received.at(-1)?.[0].dialect).to.equal(dialect);
      }
      expect((await ask('HEAD', '/data/report/?PASSKEY=A', '')).text).to.equal('');
      expect(received).to.have.length(REQUESTS.length);
      expect((await ask('POST', '/data/report/', `PASSKEY=A&${'a'.repeat(20_000)}`)).status).to.equal(413);
      expect((await ask('GET', '/data/report/', '')).status).to.equal(404);
      for (const target of ['/', '/v1/health/liveliness', '/v1/variables'])
        expect((await ask('GET', target, '')).status, target).to.be.oneOf([200, 204]);
      expect((await ask('GET', '/weatherstation/other.php', '')).text).to.contain('ROUTE_NOT_FOUND');
    });
  }

  it('are taken behind a proxy with TLS, which names the client', async () => {
    const received = await start({
      ...UPLOADS,
      WEATHERD_EXTERNAL_TLS_TERMINATED: 'true',
      WEATHERD_TRUSTED_PROXIES: '127.0.0.1',
    });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    for (const url of [service?.externalUrl, service?.uploadsUrl])
      await fetch(`${url}/data/report/?PASSKEY=A`, { headers });
    expect(received.map(([, { address }]) => address)).to.deep.equal(['203.0.113.9', '203.0.113.9']);
  });

  it('name the settings if the port is in use', async () => {
    await start(UPLOADS);
    const other = await Place.make('sqlite');
    const port = new URL(service?.uploadsUrl ?? '').port;
    const error = await rejectionOf(other.serve({ ...UPLOADS, WEATHERD_UPLOADS_PORT: port }));
    expect((error as Error).message)
      .to.contain('listener for uploads')
      .and.contain('the port is in use')
      .and.contain('WEATHERD_UPLOADS_PORT');
    await other.remove();
  });

  it('stop with the service', async () => {
    await start(UPLOADS);
    const port = Number(new URL(service?.uploadsUrl ?? '').port);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    expect(await service?.stop()).to.equal(true);
    await closed;
    service = undefined;
    expect(await rejectionOf(once(connect(port, '127.0.0.1'), 'connect'))).to.have.property(
      'code',
      'ECONNREFUSED',
    );
  });
});
