import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { KeyTraffic } from '#application/uploads/keys/key-traffic.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { AddressLimit } from '#application/uploads/arrivals/address-limit.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { Service } from '#composition/service.js';
import { Place } from '../support/place.js';
import { STATION } from '../support/weather-world.js';
import { CALLER } from '../support/world.js';

const MINUTE = 60_000;
/** Milliseconds for which an uploader waits for its reply. */
const PATIENCE = 10_000;
const START = Date.UTC(2026, 0, 1);

/** Sends a request and waits for its reply as WeeWX does. @returns the status; 0 without a reply */
async function ask(port: number, target: string): Promise<number> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk)).on('error', () => undefined);
  socket.setTimeout(PATIENCE, () => socket.destroy());
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
}

const at = (index: number) =>
  encodeURIComponent(new Date(START + index * MINUTE).toISOString().slice(0, 19).replace('T', ' '));

/** The uploaders that WeeWX has beside each other. */
const UPLOADERS: readonly ((id: string, key: string) => string)[] = [
  (id, key) => `/weatherstation/updateweatherstation.php?ID=${id}&PASSWORD=${key}`,
  (id, key) => `/pwsupdate/pwsupdate.php?ID=${id}&PASSWORD=${key}`,
  (id, key) => `/automaticreading?siteid=${id}&siteAuthenticationKey=${key}`,
  (id, key) => `/api/v2/send?siteid=${id}&siteAuthenticationKey=${key}`,
];

describe('uploads after an outage', () => {
  let place: Place;
  let service: Service;

  beforeEach(async () => {
    place = await Place.make('sqlite');
    service = await place.serve({
      WEATHERD_UPLOADS_ENABLED: 'true',
      WEATHERD_UPLOADS_PORT: '0',
      // The external API takes uploads too.
      WEATHERD_EXTERNAL_TLS_TERMINATED: 'true',
    });
    // A hundred times as many uploads of a key in a minute as otherwise, which would take a quarter of an hour.
    const traffic = service.application.container.get(KeyTraffic);
    const fast = new KeyTraffic(4000);
    sinon.replace(traffic, 'push', fast.push.bind(fast));
    sinon.replace(traffic, 'beginWait', fast.beginWait.bind(fast));
    sinon.replace(traffic, 'endWait', fast.endWait.bind(fast));
    sinon.replace(traffic, 'isRepeated', fast.isRepeated.bind(fast));
    sinon.replace(traffic, 'accepted', fast.accepted.bind(fast));
    // An address has 20 requests without a right key and 5 more in a second, so that a slow machine reaches the limit too. The
    // service permits 1,200 and 20.
    const limit = { requests: 20, seconds: 4 };
    const limited = new AddressLimit({ uptime: () => performance.now() }, (address) => address, { limit });
    sinon.replace(AddressLimit.prototype, 'arrive', limited.arrive.bind(limited));
  });
  afterEach(async () => {
    await service.stop();
    await place.remove();
    sinon.restore();
  });

  const makeKey = async (id: string) => {
    await service.application.useCase(PutStations).execute([{ ...STATION, id }], CALLER);
    return (await service.application.useCase(AddUploadKey).execute({ station: id }, CALLER)).secret;
  };
  const timesOf = async () => {
    const stores = await place.open();
    const times: number[] = [];
    for await (const rows of stores.observations.read({ from: 0, to: Infinity, variables: [1] }))
      times.push(...rows.times);
    await stores.close();
    return times.toSorted((a, b) => a - b);
  };

  /** Four uploaders send records beside each other, while others of the address send wrong keys. */
  const catchUp = async (url: string | undefined, records: number) => {
    const port = Number(new URL(url ?? '').port);
    const key = await makeKey('garden');
    const statuses = new Map<number, number>();
    const refusals = new Map<number, number>();
    const count = (counts: Map<number, number>, status: number) =>
      counts.set(status, (counts.get(status) ?? 0) + 1);
    const done = new AbortController();
    const guess = async (target: string) =>
      count(refusals, await ask(port, `${target}&tempf=50&dateutc=now`));
    // What can be guessed gets its reply when the address has a request again.
    const guessIdentity = async () => {
      while (!done.signal.aborted) await guess('/data/report/?PASSKEY=AA11');
    };
    const upload = async (target: string, first: number) => {
      for (let index = first; index < records; index += UPLOADERS.length) {
        if (first === 0) await guess(target.replace(key, '0'.repeat(26)));
        count(statuses, await ask(port, `${target}&dateutc=${at(index)}&tempf=${50 + (index % 40)}`));
      }
    };
    const guessing = guessIdentity();
    await Promise.all(UPLOADERS.map((target, first) => upload(target('garden', key), first)));
    done.abort();
    await guessing;
    expect([...statuses]).to.deep.equal([[200, records]]);
    expect(await timesOf()).to.deep.equal(
      Array.from({ length: records }, (_, index) => START + index * MINUTE),
    );
    return refusals;
  };

  it('lose none of two hundred records of four uploaders side by side, with wrong keys of the same address beside them', async () => {
    const refusals = await catchUp(service.uploadsUrl, 200);
    expect(refusals.get(429) ?? 0).to.be.greaterThan(0);
  });

  it('lose none at the external API either', async () => {
    await catchUp(service.externalUrl, 200);
  });
});
