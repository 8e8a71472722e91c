import { resolve } from 'node:path';
import type { SetupOffer } from '#application/accounts/setup/open-setup.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import type { Config, Supervision } from '../config.js';
import type { TypedCommand } from '../data/data-owner.js';
import { PACKAGE_INFO } from '../package-info.js';
import type { Service } from '../service.js';
import { terminalCommand } from '../settings/terminal-command.js';
import { shellWord } from '../shell-word.js';

export interface Greeting {
  readonly command: TypedCommand;
  /** The file of `--config`. */
  readonly configFile: string | undefined;
  readonly notes: readonly string[];
  /** The notifications that systemd expects. Undefined if it expects none, for example if a person has started the service. */
  readonly supervision?: Supervision | undefined;
  readonly setup: SetupOffer;
}

/** A summary of the data. */
interface Contents {
  readonly stations: number;
  readonly rows: number;
  /** Time of the newest row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly newest: number | undefined;
}

/**
 * The greeting of the person at the terminal: the addresses, a summary of the data, and the next steps. It is written to standard
 * error, because standard output has only log lines.
 */
export async function greeting(
  service: Service,
  config: Config,
  { command: { variables }, configFile, notes, supervision, setup }: Greeting,
): Promise<string> {
  const options = configFile === undefined ? '' : ` --config ${shellWord(resolve(configFile))}`;
  const command = `${terminalCommand(config)}${options}`;
  // The variable is named without its value, which may contain a password.
  const database = variables.find((name) => name.startsWith('WEATHERD_DATABASE_URL'));
  const condition = database === undefined ? '' : ` with the same ${database}`;
  // Reading the data starts threads, so it is skipped if no person reads the greeting.
  const contents = process.stderr.isTTY ? await readContents(service) : undefined;
  const uploadsUrl = service.uploadsUrl;
  const facts = [
    ...(config.SITE ? [['in a browser', `${service.externalUrl}/`]] : []),
    ['external API', `${service.externalUrl}  (${config.EXTERNAL_TRANSPORT}${processesOf(config)})`],
    ['internal API', `${service.internalUrl}  (${config.INTERNAL_TRANSPORT})`],
    ...(service.openMeteoUrl === undefined ? [] : [['Open-Meteo', service.openMeteoUrl]]),
    ...(uploadsUrl === undefined ? [] : [['uploads', uploadsUrl]]),
    ['data', service.location],
    ...(contents === undefined ? [] : [['', describe(contents)]]),
  ];
  const steps = nextSteps(contents, service.externalUrl).map(([step, purpose]) =>
    step.startsWith('curl') ? `  ${step}` : `  ${command} ${step.padEnd(28)}  # ${purpose}`,
  );
  return [
    `weatherd ${PACKAGE_INFO.version}`,
    ...facts.map(([name = '', value = '']) => `  ${name.padEnd(12)}  ${value}`),
    ...firstAdministrator(setup, config, { url: service.externalUrl, command }),
    ...notes.map((note) => `\nNote: ${note}.`),
    // If systemd has started the service, no person at a terminal reads the greeting, so it has no proposals.
    ...(supervision === undefined ? ['', `Try next, in another terminal${condition}:`, ...steps] : []),
    '',
  ].join('\n');
}

/** How to create the first administrator. Without a code, the reason is in the page about users. */
function firstAdministrator(
  { hasAdministrator, code }: SetupOffer,
  { AUTH_ENABLED: canSignIn }: Config,
  { url, command }: { readonly url: string; readonly command: string },
): readonly string[] {
  if (hasAdministrator || !canSignIn) return [];
  return code === undefined
    ? [
        '',
        'There is no administrator. Create one in a terminal:',
        `  ${command} user add ada --administrator`,
      ]
    : ['', 'Create your administrator in the browser, within an hour:', `  ${url}/setup#code=${code}`];
}

function processesOf({ WORKERS: count }: Config): string {
  return count > 1 ? `, ${count} worker processes` : '';
}

/**
 * Proposals for the next steps, the most useful one first. A step is a command of `weatherd` with its purpose, or a complete
 * command line with `curl`.
 */
function nextSteps(contents: Contents | undefined, url: string): readonly (readonly [string, string])[] {
  const backup = [
    'backup weatherd-backup.db',
    'works while the service runs; a copy of the data file is not a backup',
  ] as const;
  const openApi = [`curl ${url}/openapi.json`, ''] as const;
  if (contents === undefined || contents.stations === 0) {
    return [
      ['demo --live', 'recorded weather to look at, as if it were measured now'],
      ['import --help', 'the files of your station or console'],
      ['upload-key add --help', 'let a console send its observations'],
      openApi,
      backup,
    ];
  }
  return [openApi, ['station list', 'the stations and their data'], backup];
}

/** @returns undefined if the data cannot be read. The health checks of the service then report the reason. */
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
    return { stations, rows, newest: rows === 0 ? undefined : newest };
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
