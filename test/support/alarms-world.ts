import type { AlarmMessages } from '#application/alarms/alarm-messages.js';
import type { EvaluateAlarms } from '#application/alarms/evaluate-alarms.js';
import type { Lease } from '#application/ports/lease.js';
import * as tokens from '#composition/modules/tokens.js';
import { makeEvaluation } from '#composition/sources/alarms.js';
import { FakeDelivery, OwnLease } from '../application/fakes/fakes.js';
import type { World } from './world.js';

/** The evaluation of alarms in a world, with a delivery that sends nothing. */
export interface AlarmsInWorld {
  readonly evaluate: EvaluateAlarms;
  readonly delivery: FakeDelivery;
  readonly messages: AlarmMessages;
}

export function alarmsIn(
  world: World,
  lease: Pick<Lease, 'hold' | 'release'> = new OwnLease(),
): AlarmsInWorld {
  const delivery = new FakeDelivery();
  world.get(tokens.Delivery).send = (target, message) => delivery.send(target, message);
  const { evaluate, messages } = makeEvaluation(world.container, () => undefined, lease);
  return { evaluate, delivery, messages };
}
