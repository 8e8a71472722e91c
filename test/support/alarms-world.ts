import type { AlarmMessages } from '../../src/application/alarms/alarm-messages.js';
import type { EvaluateAlarms } from '../../src/application/alarms/evaluate-alarms.js';
import type { Lease } from '../../src/application/ports/lease.js';
import * as tokens from '../../src/composition/modules/tokens.js';
import { makeEvaluation } from '../../src/composition/sources/alarms.js';
import { FakeDelivery } from '../application/fakes/fakes.js';
import type { World } from './world.js';

/** The evaluation of alarms in a world, with a delivery that sends nothing. */
export interface AlarmsInWorld {
  readonly evaluate: EvaluateAlarms;
  readonly delivery: FakeDelivery;
  readonly messages: AlarmMessages;
}

export function alarmsIn(world: World, lease?: Pick<Lease, 'hold' | 'release'>): AlarmsInWorld {
  const delivery = new FakeDelivery();
  world.get(tokens.Delivery).send = (target, message) => delivery.send(target, message);
  const { evaluate, messages } = makeEvaluation(world.container, () => undefined, lease);
  return { evaluate, delivery, messages };
}
