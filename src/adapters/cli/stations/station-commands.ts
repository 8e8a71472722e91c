import { type Command, Option } from 'commander';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { ListRemovedStations } from '#application/stations/list-removed-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import { askYes } from '../accounts/ask.js';
import type { CommandContext, WithContext } from '../command-context.js';
import { removesDemo } from '../hints.js';
import type { Terminal } from '../terminal.js';
import { addSensorCommand } from './sensor-command.js';
import { parseTimeOption } from './time-option.js';
import { addStationOptions, type StationOptions, toFields, toStationSettings } from './station-options.js';
import { formatRemoved, formatStation, formatStations } from './station-tables.js';

type PlacedOptions = StationOptions & Required<Pick<StationOptions, 'latitude' | 'longitude' | 'timeZone'>>;

interface SetOptions extends StationOptions {
  readonly since?: number | string;
  readonly forgetHistory?: boolean;
}

/** A station is described with all fields. A station whose stored data are damaged is described too, and not refused. */
const WHOLE = { audience: 'users', allowsDamage: true } as const;

interface RemoveOptions {
  readonly permanently?: boolean;
  readonly forGood?: boolean;
  readonly yes?: boolean;
}

/** Adds the commands `weatherd station add|set|list|show|sensors|remove|restore`. */
export function addStationCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const station = program.command('station').description('manage the stations');

  addStationOptions(station.command('add <id>').description('create a station'), true).action(
    (id: string, options: PlacedOptions) =>
      withContext(async ({ useCase, command }) => {
        // Read before the change: a command that has created the station must not fail for the sake of a hint.
        const stations = await useCase(ListStations).execute();
        await addStation(useCase(ChangeStations), id, options);
        terminal.print(`Created the station ${id}.`);
        if (stations.some(({ demo }) => demo !== undefined)) terminal.print(removesDemo(command));
      }),
  );

  addStationOptions(
    station
      .command('set <id>')
      .description('change fields of a station; the other fields do not change')
      .option(
        '--since <time>',
        'time from which the position, elevation, interval, heights and observation time apply; earlier values are kept in the history',
        parseTimeOption,
      )
      .option(
        '--forget-history',
        'remove the earlier periods of the history, including periods that cannot be read',
      ),
    false,
  ).action((id: string, options: SetOptions, command: Command) => {
    const { identifier: identify = {}, since, forgetHistory = false } = options;
    if (forgetHistory && since !== undefined)
      command.error('error: give --since or --forget-history, not both');
    const change = { ...toFields(options), ...(forgetHistory && { earlier: [] }) };
    const adjust = toStationSettings(options);
    if (Object.keys({ ...change, ...identify, ...adjust }).length === 0)
      command.error('error: give at least one field to change');
    return withContext(async ({ useCase }) => {
      await useCase(ChangeStations).execute([{ id, change, identify, adjust, since }], COMMAND_LINE);
      terminal.print(`Changed the station ${id}.`);
    });
  });

  station
    .command('list')
    .description('list the stations')
    .option('--removed', 'list removed stations that can be restored')
    .action(({ removed }: { removed?: boolean }) =>
      withContext(async ({ useCase }) => {
        if (removed === true) terminal.print(formatRemoved(await useCase(ListRemovedStations).execute()));
        else terminal.print(formatStations(await useCase(ListStations).execute()));
      }),
    );

  station
    .command('show <id>')
    .description('show all fields of a station and the number of its observations')
    .action((id: string) =>
      withContext(async ({ useCase }) => {
        const { station: shown, inventory } = await useCase(DescribeStation).execute(id, undefined, WHOLE);
        terminal.print(formatStation(shown, inventory));
      }),
    );

  addSensorCommand(station, terminal, withContext);

  station
    .command('remove <id>')
    .description('remove a station with its observations; it can be restored for 30 days')
    .option('--permanently', 'remove the station permanently at once; also a station that was removed before')
    .addOption(new Option('--for-good', 'the former name of --permanently').hideHelp())
    .option('--yes', 'do not ask; required if standard input is not a terminal')
    .action(
      (
        id: string,
        { forGood = false, permanently = forGood, yes = false }: RemoveOptions,
        command: Command,
      ) => {
        if (!yes && !terminal.isInteractive)
          command.error('error: give --yes, because there is no terminal for a question');
        return withContext(async (context) => {
          const question = await removalQuestion(context, id, permanently);
          if (!yes && !(await askYes(question, terminal)))
            throw new DomainError('REQUEST_INVALID', 'The answer was not yes. Nothing was removed.');
          const remove = permanently ? context.useCase(EraseStation) : context.useCase(RemoveStation);
          await remove.execute(id, COMMAND_LINE);
          terminal.print(
            permanently
              ? `Removed the station ${id} permanently.`
              : `Removed the station ${id}. "weatherd station restore ${id}" restores it.`,
          );
        });
      },
    );

  station
    .command('restore <id>')
    .description('restore a removed station with its observations')
    .action((id: string) =>
      withContext(async ({ useCase }) => {
        await useCase(RestoreStation).execute(id, COMMAND_LINE);
        terminal.print(`Restored the station ${id}.`);
      }),
    );
}

async function addStation(changeStations: ChangeStations, id: string, options: PlacedOptions): Promise<void> {
  const { latitude, longitude, timeZone } = options;
  const entries = Object.entries(options.identifier ?? {});
  const identifiers = Object.fromEntries(
    entries.filter((pair): pair is [string, string] => pair[1] !== null),
  );
  const unset = { name: id, elevation: null, reportingInterval: null, limits: {} };
  const settings = Object.entries(toStationSettings(options)).map(([setting, all]) => {
    return [setting, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))] as const;
  });
  const fields = { ...toFields(options), ...Object.fromEntries(settings), identifiers };
  const create = { ...unset, id, latitude, longitude, timeZone, ...fields };
  try {
    await changeStations.execute([{ id, create }], COMMAND_LINE);
  } catch (error) {
    if (!isDomainError(error, 'STATION_EXISTS')) throw error;
    const message = `${error.message} "weatherd station set" changes a station.`;
    throw new DomainError('STATION_EXISTS', message, { cause: error });
  }
}

/** The question before a removal, with the number of observations that would be lost. @throws DomainError STATION_UNKNOWN */
async function removalQuestion(
  { useCase }: CommandContext,
  id: string,
  permanently: boolean,
): Promise<string> {
  const end = permanently ? 'permanently' : '(it can be restored for 30 days)';
  const listed = permanently ? await useCase(ListRemovedStations).execute() : [];
  const removed = listed.find(({ station }) => station.id === id);
  const { inventory } = removed ?? (await useCase(DescribeStation).execute(id, undefined, WHOLE));
  return `Remove ${removed === undefined ? '' : 'the removed station '}${id} with its ${inventory.count} observations ${end}?`;
}
