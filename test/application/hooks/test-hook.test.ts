import { expect } from 'chai';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { TestHook } from '#application/hooks/manage/test-hook.js';
import * as tokens from '#composition/graph/tokens.js';
import { MILLISECONDS } from '#domain/time.js';
import { FakeDelivery } from '../fakes/fakes.js';
import { domainErrorOf } from '../../support/rejection.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const POST = { kind: 'post', url: 'https://example.org/hook', allowPrivate: false } as const;
const UPLOAD = {
  kind: 'service',
  service: 'wunderground',
  account: 'KNY1',
  secret: 'secret',
  allowPrivate: false,
} as const;

describe('the test of a hook', () => {
  let world: World;
  let delivery: FakeDelivery;
  beforeEach(async () => {
    world = await World.make();
    delivery = new FakeDelivery();
    world.get(tokens.Delivery).send = (target, message) => delivery.send(target, message);
    await addStation(world);
    await world.get(AddHook).execute({ name: 'post', target: POST, stations: null }, CALLER);
    await world.get(AddHook).execute({ name: 'upload', target: UPLOAD, stations: ['JFK'] }, CALLER);
  });
  const test = (name: string) => world.get(TestHook).execute(name);
  const write = (age: number, value = 5) =>
    record(world, new Date(world.clock.time - age).toISOString(), { air_temperature: [value] });

  it('sends a message that is marked as a test', async () => {
    delivery.outcome = { failed: 'closed' } as never;
    expect(await test('post')).to.deep.equal({ failed: 'closed' });
    const [{ target, message } = { target: undefined, message: undefined }] = delivery.sent;
    expect(target).to.deep.equal(POST);
    const body = JSON.parse(message?.body ?? '') as Record<string, string>;
    expect(body).to.deep.equal({
      id: message?.id,
      event: 'test',
      hook: 'post',
      time: new Date(world.clock.time).toISOString(),
    });
    expect(message).to.deep.include({ event: 'test', facts: { hook: 'post', time: body['time'] } });
    expect(message?.id).to.match(/^post\/test\//);
    await test('post');
    expect(delivery.sent[1]?.message.id).not.to.equal(message?.id);
    await domainErrorOf(test('none'), 'HOOK_UNKNOWN');
  });

  it('needs a station whose values are of today, if it sends to a weather service', async () => {
    await addStation(world, { id: 'live', identifiers: {}, demo: 'live' });
    const add = (target: typeof POST | typeof UPLOAD) =>
      world.get(AddHook).execute({ name: target.kind, target, stations: ['live'] }, CALLER, true);
    const { message } = await domainErrorOf(add(UPLOAD), 'REQUEST_INVALID');
    expect(message).to.contain('were recorded in 2013');
    await add(POST);
  });

  it('sends the newest row to a weather service, if it is of the last half hour and has not failed', async () => {
    await domainErrorOf(test('upload'), 'REQUEST_INVALID');
    await write(30 * MILLISECONDS.minute);
    await domainErrorOf(test('upload'), 'REQUEST_INVALID');
    await write(30 * MILLISECONDS.minute - 1);
    expect(await test('upload')).to.equal('delivered');
    expect(delivery.sent).to.have.length(1);
    expect(delivery.sent[0]?.target).to.deep.include({ kind: 'service', account: 'KNY1' });
    await write(0, 999);
    await domainErrorOf(test('upload'), 'REQUEST_INVALID');
  });
});
