import { expect } from 'chai';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { TestAlarm } from '#application/alarms/test-alarm.js';
import { CardPainter } from '#adapters/site/card/card-painter.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { UseCaseOf } from '#application/use-cases.js';
import { openApplication } from '#composition/container.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { createSandbox } from 'sinon';
import { Place } from '../support/place.js';
import { STATION } from '../support/weather-world.js';

interface Got {
  readonly method: string;
  readonly body: Buffer;
}

describe('the pictures of messages for people', () => {
  const sandbox = createSandbox();
  const got: Got[] = [];
  let place: Place;
  let ntfy: Server;
  let url: string;

  beforeEach(async () => {
    place = await Place.ready('sqlite');
    got.length = 0;
    ntfy = createServer((request, response) => {
      const { method = '' } = request;
      void buffer(request).then((body) => {
        got.push({ method, body });
        response.end('{"id":"sPs71M8A2T","event":"message","topic":"my-garden-7f3a"}');
      });
    });
    await new Promise<void>((resolve) => ntfy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(ntfy.address() as AddressInfo).port}/my-garden-7f3a`;
  });
  afterEach(async () => {
    sandbox.restore();
    ntfy.closeAllConnections();
    ntfy.close();
    await place.remove();
  });

  async function prepare(useCase: UseCaseOf) {
    const hidden = { ...STATION, id: 'HID', visibility: 'hidden' as const };
    await useCase(PutStations).execute([STATION, hidden], COMMAND_LINE);
    for (const station of ['JFK', 'HID']) {
      const columns = [{ variable: 'air_temperature', unit: undefined, values: Float64Array.of(5) }];
      const times = Float64Array.of(Date.now());
      await useCase(RecordObservations).execute({ stations: station, times, columns }, COMMAND_LINE);
      const condition = { kind: 'silent', intervals: 3 } as const;
      const target = { kind: 'service', service: 'ntfy', url, allowPrivate: true } as const;
      await useCase(AddAlarm).execute({ name: station, station, condition, target }, COMMAND_LINE);
    }
  }

  /** Sends a test of the alarm of a station. */
  async function test(useCase: UseCaseOf, station: string): Promise<Got> {
    got.length = 0;
    expect(await useCase(TestAlarm).execute(station, new AbortController().signal)).to.equal('delivered');
    expect(got).to.have.length(1);
    return got[0] as Got;
  }

  /** Sends tests until one has a picture: on a busy machine the first picture may take longer than a message waits. */
  async function testWithPicture(useCase: UseCaseOf): Promise<void> {
    let sent = await test(useCase, 'JFK');
    while (sent.method !== 'PUT') sent = await test(useCase, 'JFK');
    expectPicture(sent);
  }

  function expectPicture({ method, body }: Got) {
    expect([method, body.subarray(0, 8).toString('hex')]).to.deep.equal(['PUT', '89504e470d0a1a0a']);
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).to.deep.equal([1200, 630]);
  }

  function expectText({ method, body }: Got) {
    expect(method).to.equal('POST');
    expect(JSON.parse(body.toString())).to.have.property('topic', 'my-garden-7f3a');
  }

  it('show the station as the site does, and no hidden station, in the service', async () => {
    const service = await place.serve();
    try {
      const { useCase } = service.application;
      await prepare(useCase);
      await testWithPicture(useCase);
      expectText(await test(useCase, 'HID'));
      sandbox.stub(service.application.container.get(CardPainter), 'paint').rejects(new Error('no thread'));
      expectText(await test(useCase, 'JFK'));
    } finally {
      await service.stop();
    }
  });

  for (const [what, settings, hasPicture] of [
    ['are sent by a command', {}, true],
    ['are left out without the site', { WEATHERD_SITE: 'false' }, false],
    ['are left out if reading needs a token', { WEATHERD_READ_ACCESS: 'token' }, false],
  ] as const)
    it(what, async () => {
      const application = await openApplication(place.config(settings), () => undefined);
      try {
        const paint = sandbox.spy(application.container.get(CardPainter), 'paint');
        await prepare(application.useCase);
        if (hasPicture) await testWithPicture(application.useCase);
        else expectText(await test(application.useCase, 'JFK'));
        expect(paint.called).to.equal(hasPicture);
      } finally {
        await application.close();
      }
    });
});
