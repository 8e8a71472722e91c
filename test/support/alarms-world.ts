import { Container } from 'inversify';
import type { Log } from '#adapters/log-pino/logger.js';
import { AlarmMessages } from '#application/alarms/alarm-messages.js';
import { EvaluateAlarms } from '#application/alarms/evaluate-alarms.js';
import type { Lease } from '#application/ports/lease.js';
import * as tokens from '#composition/graph/tokens.js';
import { wireValue, moduleOf } from '#composition/graph/wiring.js';
import { alarmEvaluation } from '#composition/sources/alarms.js';
import { FakeDelivery, OwnLease } from '../application/fakes/fakes.js';
import type { World } from './world.js';

/**
 * The evaluation of the alarms of a `World`, which has all use-cases on stores in memory. The delivery is a fake: it sends
 * nothing.
 */
export interface AlarmsInWorld {
  readonly evaluate: EvaluateAlarms;
  readonly delivery: FakeDelivery;
  readonly messages: AlarmMessages;
  /** The texts of the log. */
  readonly logged: readonly string[];
}

export function alarmsIn(
  world: World,
  lease: Pick<Lease, 'acquire' | 'release'> = new OwnLease(),
): AlarmsInWorld {
  const delivery = new FakeDelivery();
  world.get(tokens.Delivery).send = (target, message) => delivery.send(target, message);
  const container = new Container({ parent: world.container, defaultScope: 'Singleton' });
  const logged: string[] = [];
  const note = (_fields: object, text: string) => void logged.push(text);
  const log = { logger: { warn: note, info: note, error: note } };
  container.load(
    moduleOf([
      wireValue(tokens.Log, log as unknown as Log),
      wireValue(tokens.AlarmLease, lease),
      ...alarmEvaluation(),
    ]),
  );
  const messages = container.get(AlarmMessages);
  return { evaluate: container.get(EvaluateAlarms), delivery, messages, logged };
}
