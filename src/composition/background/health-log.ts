import type { Log } from '#adapters/log-pino/logger.js';
import type { HealthObserver } from '#application/operation/monitor-health.js';
import { reasonOf } from '../reason.js';

/** Returns a function that logs changes of the background checks. */
export function healthLog({ logger }: Log): HealthObserver {
  return ({ name, state, detail }, reason) => {
    if (state === 'ok') logger.info({ check: name }, 'works again');
    else if (state === 'degraded') logger.warn({ check: name, detail }, 'works with a defect');
    else logger.error({ check: name, reason: reasonOf(reason) }, 'does not work');
  };
}
