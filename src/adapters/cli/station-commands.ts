import { type Command, InvalidArgumentError } from 'commander';
import type { GetStation } from '../../application/get-station.js';
import type { ListStations } from '../../application/list-stations.js';
import type { PutStations } from '../../application/put-stations.js';
import type { RemoveStation } from '../../application/remove-station.js';
import { COMMAND_LINE } from '../../domain/audit-event.js';
import { variableNumbered } from '../../domain/variables.js';
import { say } from './say.js';
import { formatTable } from './table.js';

export interface StationUseCases {
  readonly putStations: PutStations;
  readonly listStations: ListStations;
  readonly getStation: GetStation;
  readonly removeStation: RemoveStation;
}

type WithStations = (work: (useCases: StationUseCases) => Promise<void>) => Promise<void>;

interface AddOptions {
  readonly name?: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation?: number;
  readonly timeZone: string;
  readonly interval?: number;
  readonly identifier: Readonly<Record<string, string>>;
}

/** `weatherd station add|list|show|remove`. */
export function addStationCommands(program: Command, withStations: WithStations): void {
  const station = program.command('station').description('manage the stations');

  station
    .command('add <id>')
    .description('make a station, or change what is said of it')
    .requiredOption('--latitude <degrees>', 'north of the equator', parseNumber)
    .requiredOption('--longitude <degrees>', 'east of Greenwich', parseNumber)
    .requiredOption('--time-zone <zone>', 'IANA name, like Europe/Oslo')
    .option('--name <text>', 'for people; the id when left out')
    .option('--elevation <metres>', 'above mean sea level', parseNumber)
    .option('--interval <seconds>', 'between two observations', parseNumber)
    .option(
      '--identifier <key=value>',
      'what others call it (wmo, icao, wigos …), once for each',
      addPair,
      {},
    )
    .action((id: string, options: AddOptions) =>
      withStations(async ({ putStations }) => {
        const {
          name = id,
          latitude,
          longitude,
          elevation = null,
          timeZone,
          interval = null,
          identifier,
        } = options;
        const draft = {
          id,
          name,
          latitude,
          longitude,
          elevation,
          timeZone,
          identifiers: identifier,
          reportingInterval: interval,
          limits: {},
        };
        const [change] = await putStations.execute([draft], COMMAND_LINE);
        say(`${change?.made === true ? 'Made' : 'Changed'} ${id}.`);
      }),
    );

  station
    .command('list')
    .description('list the stations')
    .action(() =>
      withStations(async ({ listStations }) => {
        const rows = (await listStations.execute()).map((listed) => [
          listed.id,
          String(listed.number),
          listed.latitude.toFixed(4),
          listed.longitude.toFixed(4),
          listed.elevation === null ? '-' : String(listed.elevation),
          listed.timeZone,
          listed.name,
        ]);
        say(formatTable(['ID', 'NUMBER', 'LATITUDE', 'LONGITUDE', 'ELEVATION', 'TIME ZONE', 'NAME'], rows));
      }),
    );

  station
    .command('show <id>')
    .description('show a station and what there is of it')
    .action((id: string) =>
      withStations(async ({ getStation }) => {
        const { station: shown, inventory } = await getStation.execute(id);
        const time = (value: number | null) => (value === null ? '-' : new Date(value).toISOString());
        const variables = inventory.variables.map((number) => variableNumbered(number).name);
        const fields = [
          ['id', shown.id],
          ['number', String(shown.number)],
          ['name', shown.name],
          ['place', `${shown.latitude}, ${shown.longitude}`],
          ['elevation', shown.elevation === null ? '-' : `${shown.elevation} m`],
          ['time zone', shown.timeZone],
          ['interval', shown.reportingInterval === null ? '-' : `${shown.reportingInterval} s`],
          ...Object.entries(shown.identifiers),
          ['observations', String(inventory.count)],
          ['first', time(inventory.first)],
          ['last', time(inventory.last)],
          ['variables', variables.join(', ') || '-'],
        ];
        say(formatTable(['FIELD', 'VALUE'], fields));
      }),
    );

  station
    .command('remove <id>')
    .description('remove a station for good, with its observations')
    .action((id: string) =>
      withStations(async ({ removeStation }) => {
        await removeStation.execute(id, COMMAND_LINE);
        say(`Removed ${id}.`);
      }),
    );
}

function parseNumber(text: string): number {
  if (!/^-?(?:\d+\.?\d*|\.\d+)$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

function addPair(text: string, pairs: Readonly<Record<string, string>>): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be KEY=VALUE.');
  return { ...pairs, [key]: value };
}
