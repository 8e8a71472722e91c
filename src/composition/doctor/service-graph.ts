import { periodicWork } from '../background/periodic-work.js';
import { scheduledBackups } from '../backups/scheduled-backups.js';
import type { Config } from '../config.js';
import { applicationGraph } from '../graph/graph.js';
import type { Wiring } from '../graph/wiring.js';
import { alarmSender } from '../sources/alarms.js';
import { hookSender } from '../sources/hooks.js';

/**
 * The objects of the running service as text, by subject: each with what it is made of. A name in parentheses is a port, which an
 * adapter of the configuration fills.
 */
export function serviceGraph(config: Config): string {
  const running = [...periodicWork(true), ...scheduledBackups(config), ...hookSender(), ...alarmSender()];
  const subjects = [
    ...applicationGraph(config, () => undefined),
    { title: 'while it runs', wirings: running },
  ];
  const own = new Set(subjects.flatMap(({ wirings }) => wirings.map(({ identifier }) => identifier)));
  const explanation =
    'Each line has an object and, behind "<-", what it is made of. A name in parentheses is a port, which an adapter of the ' +
    'configuration fills. A Runnable works while the service runs; they start in this order.';
  const lines = subjects.flatMap(({ title, wirings }) => [
    title,
    ...wirings.map(({ identifier, needs }) => {
      const parts = needs.map((need) => (own.has(need) ? nameOf(need) : `(${nameOf(need)})`));
      return `  ${nameOf(identifier)}${parts.length > 0 ? ' <- ' : ''}${parts.join(', ')}`;
    }),
  ]);
  return [explanation, ...lines].join('\n');
}

/** The name of a class or a port. */
function nameOf(identifier: Wiring['identifier']): string {
  if (typeof identifier === 'symbol') return identifier.description ?? '';
  return typeof identifier === 'string' ? identifier : identifier.name;
}
