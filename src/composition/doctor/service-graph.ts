import { periodicWork } from '../background/periodic-work.js';
import { scheduledBackups } from '../backups/scheduled-backups.js';
import type { Config } from '../config.js';
import { applicationGraph } from '../graph/graph.js';
import type { Wiring } from '../graph/wiring.js';
import { alarmSender } from '../sources/alarms.js';
import { sourceAsker } from '../sources/asked-sources.js';
import { forecastAsker } from '../sources/forecasts.js';
import { hookSender } from '../sources/hooks.js';

/**
 * The objects of the running service as text, grouped by subject. Each line names an object and the objects that its constructor
 * receives. A name in parentheses is a port, for which an adapter provides the object.
 */
export function serviceGraph(config: Config): string {
  const running = [
    ...periodicWork(true),
    ...scheduledBackups(config),
    ...sourceAsker(),
    ...forecastAsker(config),
    ...hookSender(),
    ...alarmSender(),
  ];
  const subjects = [
    ...applicationGraph(config, () => undefined),
    { title: 'parts of the running service', wirings: running },
  ];
  const own = new Set(subjects.flatMap(({ wirings }) => wirings.map(({ identifier }) => identifier)));
  const explanation =
    'Each line has an object and, after "<-", the objects that its constructor receives. A name in parentheses is a port, which an ' +
    'adapter implements. A Runnable works while the service runs; Runnables start in this order.';
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
