import { expect } from 'chai';
import { Housekeep } from '#application/operation/housekeep.js';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { ApprovePendingUpload } from '#application/uploads/pending/approve-pending-upload.js';
import { AuthorizeUploadKey } from '#application/uploads/keys/authorize-upload-key.js';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { ListPendingUploads } from '#application/uploads/pending/list-pending-uploads.js';
import { PENDING_RECORD, PendingSenders } from '#application/uploads/pending/pending-senders.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import type { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { MAX_OF_NETWORK, MAX_PENDING, MAX_PUBLIC } from '#domain/uploads/pending-sender.js';
import type { Sender } from '#domain/uploads/upload.js';
import { addKey, ADMITTED, outcomeText, reading, rowsOf, send, upload } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { minute, hour, day } = MILLISECONDS;

describe('Pending senders', () => {
  let world: World;
  let start: number;
  beforeEach(async () => {
    world = await World.make();
    start = world.clock.time;
    await addStation(world);
  });

  const list = (of = world) => of.get(ListPendingUploads).execute();
  const wait = (milliseconds: number) => {
    world.clock.time += milliseconds;
    world.clock.up += milliseconds;
  };
  const approve = (id: string, station = 'JFK') =>
    world
      .get(ApprovePendingUpload)
      .execute({ id, station }, CALLER)
      .then(
        () => 'done',
        (error: DomainError) => error.code,
      );
  const idOf = async (index = 0) => (await list())[index]?.id ?? '';
  const identity = (text: string): { sender: Sender } => ({ sender: { identity: text } });

  it('are accepted at the port for uploads alone once they are approved', async () => {
    await send(world, identity('WEAK'));
    expect(await approve(await idOf())).to.equal('done');
    const arrival = { receivedAt: world.clock.time, address: '192.0.2.7' };
    const outcome = async (isApi: boolean) =>
      outcomeText(
        await world.get(ReceiveUpload).execute(upload(identity('WEAK')), { ...arrival, isApi }, ADMITTED),
      );
    expect([await outcome(true), await outcome(false)]).to.deep.equal(['refused key', 'stored']);
  });

  it('say whether they send the id of a station with a wrong key, and whether they can be told from others', async () => {
    // A hidden one, because the others are known to everybody.
    await addStation(world, { id: 'HID', visibility: 'hidden', identifiers: {} });
    await send(world, { sender: { id: 'HID', password: 'wrong' } });
    await send(world, { sender: { id: 'LGA', password: 'wrong' } });
    await send(world, identity('WEAK'));
    const found = (await list()).map(({ sentId, isWrongKey }) => `${sentId} ${isWrongKey}`);
    expect(found).to.have.members(['HID true', 'LGA false', 'null false']);
    expect((await list()).every(({ canBeApproved }) => canBeApproved)).to.equal(true);
  });

  it('have a wrong key if their uploads are refused for it, and the list shows no key', async () => {
    const { secret } = await addKey(world);
    const typo = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`;
    const senders: readonly (readonly [sender: Sender, sentId: string | null])[] = [
      [{ key: typo, identity: 'AA11' }, null],
      [{ key: typo, id: 'JFK', password: secret }, null],
      [{ key: 'garden' }, null],
      [{ id: 'JFK', password: typo }, 'JFK'],
      [{ id: 'JFK' }, 'JFK'],
    ];
    for (const [index, [sender, sentId]] of senders.entries()) {
      const address = `192.168.1.${index}`;
      for (let count = 0; count < 3; count += 1) await send(world, { sender }, address);
      const [newest] = await list();
      expect(newest).to.include({ address, sentId, count: 3, isWrongKey: true, canBeApproved: false });
      expect(await approve(newest?.id ?? '')).to.equal('REQUEST_INVALID');
      wait(1);
    }
    await world.get(PendingSenders).flush(true);
    const stored = JSON.stringify([await list(), await world.stores.storedRecords.record(PENDING_RECORD)]);
    for (const key of [secret, typo]) expect(stored.toLowerCase()).not.to.contain(key);
    // A script shows its reply to the person who runs it.
    const arrival = { receivedAt: world.clock.time, address: '198.51.100.1', isApi: true };
    await world.get(ReceiveUpload).execute(upload({ sender: { key: typo } }), arrival, ADMITTED);
    expect(await list()).to.have.length(senders.length);
  });

  it('are written again a few times where another instance is faster, and then later', async () => {
    await send(world, identity('WEAK'));
    let attempts = 0;
    const { storedRecords } = world.stores;
    const put = storedRecords.put.bind(storedRecords);
    let isFaster = 3;
    storedRecords.put = async (records) => {
      attempts += 1;
      if ((isFaster -= 1) >= 0) return records.map(({ name }) => name);
      return await put(records);
    };
    await world.get(PendingSenders).flush(true);
    expect(attempts).to.equal(4);
    await send(world, identity('OTHER'));
    [attempts, isFaster] = [0, Infinity];
    await world.get(PendingSenders).flush(true);
    expect(attempts).to.equal(5);
  });

  it('do not show a key that was typed into another field', async () => {
    const { secret } = await addKey(world);
    await send(world, { sender: { id: secret, password: 'JFK' }, device: { model: secret, batteries: {} } });
    expect((await list()).map(({ sentId, model }) => [sentId, model])).to.deep.equal([['***', '***']]);
  });

  it('are listed with what people recognize them by, and nothing secret', async () => {
    const readings = Array.from({ length: 9 }, (_, index) =>
      reading('air_temperature', index, { unit: '°C' }),
    );
    const device = { model: 'GW2000A', batteries: {} };
    await send(world, { sender: { id: 'IOSLO1', password: 'hunter22' }, readings, device }, '10.0.0.9');
    wait(minute);
    await send(world, { sender: { id: 'IOSLO1', password: 'hunter22' }, readings, device }, '10.0.0.9');
    const [sender] = await list();
    expect({ ...sender, id: sender?.id.length }).to.deep.equal({
      id: 8,
      sentId: 'IOSLO1',
      dialect: 'ecowitt',
      model: 'GW2000A',
      address: '10.0.0.9',
      network: '10.0.0.9',
      firstSeen: start,
      lastSeen: start + minute,
      count: 2,
      readings: [0, 1, 2, 3, 4].map((value) => `air_temperature ${value} °C`),
      canBeApproved: true,
      isWrongKey: false,
    });
    await world.get(PendingSenders).flush(true);
    expect(JSON.stringify(await world.stores.storedRecords.records(''))).not.to.contain('hunter22');
    expect(await rowsOf(world, start)).to.deep.equal([]);
  });

  for (const sender of [
    { identity: 'AA11' },
    { identity: '0123456789abcdefghjkmnpqrs' },
    { id: 'IOSLO1', password: 'x' },
    { id: 'IOSLO1' },
  ])
    it(`write to a station once they are approved: ${Object.keys(sender).join(' and ')}`, async () => {
      await send(world, { sender });
      expect(await approve((await idOf()).toUpperCase())).to.equal('done');
      expect(await list()).to.deep.equal([]);
      expect(await send(world, { sender })).to.equal('stored');
      const [key] = await world.get(ListUploadKeys).execute();
      expect([key?.weak, key?.station]).to.deep.equal([true, 'JFK']);
      // The identity is no key: neither in the path nor as bearer.
      for (const text of Object.values(sender)) {
        expect(await send(world, { sender: { key: text } })).to.equal('refused key');
        const refusal = await world
          .get(AuthorizeUploadKey)
          .execute(text, 'JFK')
          .catch((error: DomainError) => error.code);
        expect(refusal).to.equal('AUTH_TOKEN_INVALID');
      }
      // Other identities still wait.
      expect(await send(world, { sender: { identity: 'BB22' } })).to.equal('pending');
      expect(await send(world, { sender: { id: 'IOSLO1', password: 'y' } })).to.equal('pending');
      await world.get(RevokeUploadKey).execute(key?.number ?? 0, CALLER);
      expect(await send(world, { sender })).to.equal('pending');
      expect((await world.auditTrail()).filter((event) => event.startsWith('upload-approve'))).to.deep.equal([
        'upload-approve done 1',
      ]);
    });

  it('keep the station that they were approved for when another one gets the id that they send', async () => {
    const sender = { id: 'IOSLO1', password: 'x' };
    await send(world, { sender });
    await approve(await idOf());
    await addStation(world, { id: 'IOSLO1' });
    expect(await send(world, { sender })).to.equal('stored');
    expect(await rowsOf(world, start, 'IOSLO1')).to.deep.equal([]);
  });

  it('cannot be approved where nothing tells them from others', async () => {
    await send(world, { sender: {} });
    expect((await list())[0]?.canBeApproved).to.equal(false);
    expect(await approve(await idOf())).to.equal('REQUEST_INVALID');
  });

  it('are refused by id, station and second approval', async () => {
    await send(world, identity('AA11'));
    const id = await idOf();
    expect(await approve('00000000')).to.equal('UPLOAD_SENDER_UNKNOWN');
    expect(await approve(id, 'EWR')).to.equal('STATION_UNKNOWN');
    expect(await approve(id)).to.equal('done');
    expect(await approve(id)).to.equal('UPLOAD_SENDER_UNKNOWN');
  });

  it('leave the list after a day of silence', async () => {
    await send(world, identity('AA11'));
    await world.get(PendingSenders).flush(true);
    wait(day);
    expect((await list()).length).to.equal(1);
    wait(1);
    expect((await list()).length).to.equal(0);
    await world.get(Housekeep).execute();
    expect(await world.stores.storedRecords.records('')).to.deep.equal([]);
  });

  it('are seen by the command line, and its approval is seen by the service', async () => {
    const command = await World.make({}, world.stores);
    command.clock.time = world.clock.time;
    await send(world, identity('AA11'));
    await world.get(PendingSenders).flush();
    const [sender] = await list(command);
    await command.get(ApprovePendingUpload).execute({ id: sender?.id ?? '', station: 'JFK' }, CALLER);
    wait(1000);
    expect(await send(world, identity('AA11'))).to.equal('stored');
    await world.get(PendingSenders).flush(true);
    expect([await list(), await list(command)]).to.deep.equal([[], []]);
  });

  it('of several instances are in one list', async () => {
    const other = await World.make({}, world.stores);
    other.clock.time = world.clock.time;
    await send(world, identity('AA11'), '10.0.0.1');
    await send(other, identity('BB22'), '10.0.0.2');
    await Promise.all([world.get(PendingSenders).flush(), other.get(PendingSenders).flush()]);
    expect([(await list()).length, (await list(other)).length]).to.deep.equal([2, 2]);
  });

  describe('in a flood', () => {
    /** A sender that comes back every 16 seconds for two minutes. */
    const console = async (text: string, address: string) => {
      for (let count = 0; count < 8; count += 1) {
        await send(world, identity(text), address);
        wait(16_000);
      }
      return [...(await list())].find((sender) => sender.address === address)?.id;
    };
    const ids = async () => (await list()).map(({ id }) => id);

    it('from its own network stay where they have come back', async () => {
      const id = await console('AA11', '10.0.0.1');
      for (let count = 0; count < 500; count += 1) await send(world, identity(`flood ${count}`), '10.0.0.1');
      expect(await ids()).to.contain(id);
      expect((await list()).length).to.equal(MAX_OF_NETWORK);
    });

    it('from many networks stay where they have come back, and are bounded', async () => {
      const id = await console('AA11', '198.51.100.1');
      for (let count = 0; count < 1000; count += 1)
        await send(world, identity(`flood ${count}`), `203.0.113.${count % 256}`);
      expect(await ids()).to.contain(id);
      expect((await list()).length).to.equal(MAX_PUBLIC);
      const home = await console('BB22', '192.168.1.20');
      expect(await ids()).to.include.members([id, home]);
      for (let count = 0; count < 200; count += 1)
        await send(world, identity(`local ${count}`), `10.1.2.${count}`);
      expect(await ids()).to.include.members([id, home]);
      expect((await list()).length).to.equal(MAX_PENDING);
    });

    it('write to the disk at most every 30 seconds', async () => {
      let writes = 0;
      const { storedRecords: uploads } = world.stores;
      const put = uploads.put.bind(uploads);
      uploads.put = (records) => {
        writes += 1;
        return put(records);
      };
      for (let count = 0; count < 120; count += 1) {
        await send(world, identity(`flood ${count}`), `203.0.113.${count}`);
        await world.get(PendingSenders).flush();
        wait(1000);
      }
      expect(writes).to.equal(4);
    });

    it('give way to newcomers when they are silent', async () => {
      for (let count = 0; count < MAX_OF_NETWORK; count += 1) await console(`console ${count}`, '10.0.0.1');
      await send(world, identity('new'), '10.0.0.1');
      const before = await ids();
      wait(2 * hour);
      await send(world, identity('new'), '10.0.0.1');
      expect((await ids()).filter((id) => !before.includes(id)).length).to.equal(1);
    });
  });
});
