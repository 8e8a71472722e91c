import { MILLISECONDS } from '#domain/time.js';
import type { DeliverySender } from './delivery-metrics.js';

/** Milliseconds for which a target may fail before it is reported. The restart of a server takes less time. */
export const FAILING_FOR = 5 * MILLISECONDS.minute;

/** A target that has not accepted a message since a failed attempt. */
export interface FailingTarget {
  /** Name of the hook, or of an alarm with this target. */
  readonly name: string;
  /** Time of the first failure, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
}

/**
 * Describes failing targets for a health check. Reasons are left out, because they may contain the output of a program.
 *
 * @param now milliseconds since 1970-01-01T00:00:00Z
 * @returns undefined if no target has failed for longer than `FAILING_FOR`
 */
export function describeFailing(
  kind: DeliverySender,
  targets: readonly FailingTarget[],
  now: number,
): string | undefined {
  const failing = targets.filter(({ since }) => now - since > FAILING_FOR).sort((a, b) => a.since - b.since);
  const [longest] = failing;
  if (longest === undefined) return undefined;
  const { name, since } = longest;
  const others = failing.length - 1;
  const more =
    others === 0 ? '' : `, and ${others} other ${others === 1 ? 'target fails' : 'targets fail'} too`;
  return `The target of the ${kind} ${name} has failed since ${new Date(since).toISOString()}${more}; the log says why.`;
}
