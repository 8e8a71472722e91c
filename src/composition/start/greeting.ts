import { resolve } from 'node:path';
import { ListUsers } from '#application/accounts/users/list-users.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import type { Config, Supervision } from '../config.js';
import type { TypedCommand } from '../data/data-owner.js';
import { readPackageInfo } from '../package-info.js';
import type { Service } from '../service.js';
import { terminalCommand } from '../settings/terminal-command.js';
import { shellWord } from '../shell-word.js';

export interface Greeting {
  readonly command: TypedCommand;
  /** The file of `--config`. */
  readonly configFile: string | undefined;
  readonly notes: readonly string[];
  /** Undefined if a person has started the service. */
  readonly supervision?: Supervision | undefined;
}

/** What the data have, as far as it can be read. */
interface Contents {
  readonly stations: number;
  readonly rows: number;
  /** Time of the newest row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly newest: number | undefined;
  readonly users: number;
}

/**
 * Greets the person at the terminal: what to open, what the data have, and what to do next. Written to standard error, because
 * standard output holds only log lines.
 */
export async function greeting(
  service: Service,
  config: Config,
  { command: { variables }, configFile, notes, supervision }: Greeting,
): Promise<string> {
  const options = configFile === undefined ? '' : ` --config ${shellWord(resolve(configFile))}`;
  const command = `${terminalCommand(config)}${options}`;
  // Named without its value, which may hold a password.
  const database = variables.find((name) => name.startsWith('WEATHERD_DATABASE_URL'));
  const condition = database === undefined ? '' : ` with the same ${database}`;
  // Reading starts threads, so it is left out where nobody is there to read the greeting.
  const contents = process.stderr.isTTY ? await readContents(service) : undefined;
  const places = [
    ...(config.SITE ? [['in a browser', `${service.externalUrl}/`]] : []),
    ['external API', `${service.externalUrl}  (${config.EXTERNAL_TRANSPORT}${processesOf(config)})`],
    ['internal API', `${service.internalUrl}  (${config.INTERNAL_TRANSPORT})`],
    ...(service.uploadsUrl === undefined ? [] : [['uploads', service.uploadsUrl]]),
    ['data', service.location],
    ...(contents === undefined ? [] : [['', describe(contents)]]),
  ];
  const steps = nextSteps(contents, service.externalUrl).map(([step, purpose]) =>
    step.startsWith('curl') ? `  ${step}` : `  ${command} ${step.padEnd(28)}  # ${purpose}`,
  );
  return [
    `weatherd ${readPackageInfo().version}`,
    ...places.map(([name = '', place = '']) => `  ${name.padEnd(12)}  ${place}`),
    ...notes.map((note) => `\nNote: ${note}.`),
    // Nobody follows proposals in the journal.
    ...(supervision === undefined ? ['', `Try next, in another terminal${condition}:`, ...steps] : []),
    '',
  ].join('\n');
}

function processesOf({ WORKERS: count }: Config): string {
  return count > 1 ? `, ${count} worker processes` : '';
}

/** What a person would do first, the most useful step first: commands with their purpose, or a request. */
function nextSteps(contents: Contents | undefined, url: string): readonly (readonly [string, string])[] {
  const backup = [
    'backup weatherd-backup.db',
    'also while it runs; a copy of the data file is none',
  ] as const;
  const user = ['user add ada', 'then sign in as docs/api.md shows'] as const;
  const firstUser = contents === undefined || contents.users === 0 ? [user] : [];
  const openApi = [`curl ${url}/openapi.json`, ''] as const;
  if (contents === undefined || contents.stations === 0) {
    return [
      ['demo', 'a year of measured weather to look at'],
      ['import --help', 'the files of your station or console'],
      ['upload-key add --help', 'let a console send its observations'],
      ...firstUser,
      openApi,
      backup,
    ];
  }
  return [...firstUser, openApi, ['station list', 'the stations with what they have'], backup];
}

/** @returns undefined if the data cannot be read: the checks of the service say why */
async function readContents({ application: { useCase } }: Service): Promise<Contents | undefined> {
  try {
    let [stations, rows, newest] = [0, 0, Number.NEGATIVE_INFINITY];
    for await (const page of useCase(ListInventories).execute()) {
      for (const { inventory } of page) {
        stations += 1;
        rows += inventory.count;
        newest = Math.max(newest, inventory.last ?? Number.NEGATIVE_INFINITY);
      }
    }
    const { length: users } = await useCase(ListUsers).execute();
    return { stations, rows, newest: rows === 0 ? undefined : newest, users };
  } catch {
    return undefined;
  }
}

function describe({ stations, rows, newest }: Contents): string {
  if (stations === 0) return 'no stations yet';
  const count = (number: number, noun: string) =>
    `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  const last =
    newest === undefined
      ? ''
      : `, the newest of ${new Date(newest).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${count(stations, 'station')}, ${count(rows, 'row')}${last}`;
}
