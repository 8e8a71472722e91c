import { ChangeStations } from '#application/stations/change-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { CommandContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';

/**
 * Sets the unknown reporting intervals of stations to the interval between the routine reports of a file. Known reporting
 * intervals remain unchanged.
 *
 * @param ids ids of stations; unknown ids are ignored
 */
export async function setUnknownIntervals(
  ids: ReadonlySet<string>,
  seconds: number | undefined,
  { useCase }: CommandContext,
  terminal: Terminal,
): Promise<void> {
  if (seconds === undefined) return;
  const stations = await useCase(ListStations).execute();
  const unknown = stations.filter(
    ({ id, reportingInterval, damaged }) =>
      ids.has(id) && reportingInterval === null && damaged === undefined,
  );
  if (unknown.length === 0) return;
  const edits = unknown.map(({ id }) => ({ id, change: { reportingInterval: seconds } }));
  await useCase(ChangeStations).execute(edits, COMMAND_LINE);
  const names = unknown.map(({ id }) => id).join(', ');
  terminal.print(
    `Set the reporting interval of ${names}, which was unknown, to ${seconds} seconds. "weatherd station set ID --interval" changes it.`,
  );
}
