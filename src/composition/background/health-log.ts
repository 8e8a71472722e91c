import type { Log } from '#adapters/log-pino/logger.js';
import type { HealthObserver } from '#application/operation/monitor-health.js';
import { reasonOf } from '../reason.js';

/** Returns a function that logs changes of the background checks. */
export function healthLog({ logger }: Log): HealthObserver {
  return ({ name: check, state, detail }, reason, changes) => {
    const fields = { check, ...(changes > 1 && { changes }) };
    if (state === 'ok') logger.info(fields, 'works again');
    else if (state === 'degraded') logger.warn({ ...fields, detail }, 'works with a defect');
    else logger.error({ ...fields, reason: reasonOf(reason) }, 'does not work');
  };
}
