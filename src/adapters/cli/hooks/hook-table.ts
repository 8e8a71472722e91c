import type { HookView } from '#application/hooks/manage/hook-view.js';
import { formatTable } from '../table.js';
import { timeCell } from '../uploads/upload-cells.js';

/** Largest number of stations of a hook that the table names. */
const MAX_NAMED = 3;

export function formatHooks(hooks: readonly HookView[]): string {
  if (hooks.length === 0) return 'There are no hooks. "weatherd hook add --help" shows how to create a hook.';
  const rows = hooks.map((hook) => [hook.name, stationsCell(hook), hook.target, stateCell(hook)]);
  return formatTable(['HOOK', 'STATIONS', 'TARGET', 'STATE'], rows);
}

/** The hooks as JSON with the field names of the API. */
export function hooksAsJson(hooks: readonly HookView[]): readonly object[] {
  return hooks.map((hook) => ({
    name: hook.name,
    kind: hook.kind === 'service' ? 'upload' : hook.kind,
    ...(hook.service !== null && { service: hook.service }),
    target: hook.target,
    signed: hook.signed,
    allow_private: hook.allowPrivate,
    stations: hook.stations,
    forecasts: hook.forecasts,
    paused: hook.paused,
    since: timeOf(hook.since),
    delivered_at: timeOf(hook.deliveredAt),
    failing_since: timeOf(hook.failingSince),
    reason: hook.reason,
  }));
}

function stationsCell({ stations, forecasts }: HookView): string {
  return forecasts ? `${namesOf(stations)}, with forecasts` : namesOf(stations);
}

function namesOf(stations: HookView['stations']): string {
  if (stations === null) return 'all';
  const named = stations.slice(0, MAX_NAMED).join(', ');
  return stations.length > MAX_NAMED ? `${named} and ${stations.length - MAX_NAMED} more` : named;
}

function stateCell({ paused, failingSince, deliveredAt, reason }: HookView): string {
  if (paused) return 'paused';
  if (failingSince !== null) return `failing since ${timeCell(failingSince)}: ${reason}`;
  const delivered = deliveredAt === null ? 'nothing sent yet' : `delivered at ${timeCell(deliveredAt)}`;
  return reason === null ? delivered : `${delivered}; the last row was refused: ${reason}`;
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
