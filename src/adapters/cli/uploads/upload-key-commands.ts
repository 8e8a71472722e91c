import type { Command } from 'commander';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import type { IssuedUploadKey, UploadKeyView } from '#application/uploads/keys/key-view.js';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { DEFAULT_OVERLAP, RotateUploadKey } from '#application/uploads/keys/rotate-upload-key.js';
import { instructionsFor } from '#application/uploads/setup/instructions.js';
import { addressesHere } from '#application/uploads/setup/upload-addresses.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { CommandContext, WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { clip, timeCell } from './upload-cells.js';
import { formatInstructions, wrap } from './instruction-text.js';
import {
  addSettingOptions,
  parseKeyNumber,
  parseOverlap,
  type SettingOptions,
  toUploadSettings,
} from './upload-options.js';

/** The keys as a table of 80 columns. */
export function formatKeys(keys: readonly UploadKeyView[]): string {
  const rows = keys.map((key) => [
    String(key.number),
    clip(key.station ?? '(removed)', 16),
    timeCell(key.rotatedAt ?? key.madeAt),
    key.weak ? 'weak' : 'secret',
    String(key.mappings.length),
    clip(key.note, 16) || '-',
  ]);
  return formatTable(['KEY', 'STATION', 'MADE', 'KIND', 'MAPPINGS', 'NOTE'], rows);
}

/** Options for the display of a new secret. */
interface ShowOptions {
  readonly json?: boolean;
  readonly host?: string;
  readonly make?: string;
}

interface AddOptions extends ShowOptions, SettingOptions {
  readonly station: string;
  readonly note?: string;
}

/** Adds the commands `weatherd upload-key add|list|rotate|revoke`. */
export function addUploadKeyCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const key = program
    .command('upload-key')
    .description('manage the keys with which consoles, weather software and scripts send observations');

  addSettingOptions(
    addShowOptions(
      key
        .command('add')
        .description('create a key for a station, and print the settings to enter for each console profile')
        .requiredOption('--station <id>', 'the station that the key writes')
        .option('--note <text>', 'a note for people, for example where the console is'),
    ),
  ).action((options: AddOptions) =>
    withContext(async (context) => {
      const { station, note } = options;
      const input = { station, ...(note !== undefined && { note }), settings: toUploadSettings(options) };
      const made = await context.useCase(AddUploadKey).execute(input, COMMAND_LINE);
      showSecret(made, options, context, terminal);
    }),
  );

  key
    .command('list')
    .description('list the keys, without their secrets')
    .option('--station <id>', 'only the keys of this station')
    .action(({ station }: { station?: string }) =>
      withContext(async ({ useCase }) => {
        terminal.print(formatKeys(await useCase(ListUploadKeys).execute(station)));
      }),
    );

  addShowOptions(
    key
      .command('rotate')
      .argument('<key>', 'number of the key', parseKeyNumber)
      .description('replace the secret of a key; the current secret is accepted as well for a while')
      .option(
        '--overlap <seconds>',
        'time for which the current secret is accepted; 0 ends it at once',
        parseOverlap,
        DEFAULT_OVERLAP,
      ),
  ).action((number: number, { overlap, ...options }: ShowOptions & { overlap: number }) =>
    withContext(async (context) => {
      const made = await context.useCase(RotateUploadKey).execute({ number, overlap }, COMMAND_LINE);
      showSecret(made, options, context, terminal);
    }),
  );

  key
    .command('revoke')
    .argument('<key>', 'number of the key', parseKeyNumber)
    .description('revoke a key permanently; its observations are kept')
    .action((number: number) =>
      withContext(async ({ useCase }) => {
        const warnings = await useCase(RevokeUploadKey).execute(number, COMMAND_LINE);
        terminal.print([`Revoked upload key ${number}.`, ...warnings].map((text) => wrap(text)).join('\n'));
      }),
    );
}

function addShowOptions(command: Command): Command {
  return command
    .option('--host <name>', 'name or address by which the sender reaches this machine')
    .option('--make <text>', 'print only the console profiles whose name contains this text')
    .option('--json', 'print JSON');
}

/**
 * Prints the secret of an upload key, which is never displayed again. Also prints the settings that a person enters in each kind
 * of console, such as server, path and port.
 */
function showSecret(
  { key: { number, station, note, previousUntil, rainWarning }, secret }: IssuedUploadKey,
  { json = false, host, make }: ShowOptions,
  { uploads: { reach, machine } }: CommandContext,
  terminal: Terminal,
): void {
  const { addresses, warnings: reached } = addressesHere(reach, host, machine);
  const warnings = rainWarning === null ? reached : [rainWarning, ...reached];
  const wanted = make?.toLowerCase() ?? '';
  const endpoints = instructionsFor({ station: station ?? '', key: secret }, addresses).filter(
    (instruction) => instruction.make.toLowerCase().includes(wanted),
  );
  if (json) {
    terminal.printJson({ key: secret, station, number, note, endpoints, warnings });
    return;
  }
  terminal.print(
    `Upload key ${number} of ${station ?? '-'}. The secret is displayed only now:\n\n    ${secret}\n`,
  );
  if (previousUntil !== null)
    terminal.print(wrap(`The replaced secret is accepted until ${new Date(previousUntil).toISOString()}.\n`));
  for (const warning of warnings) terminal.print(`${wrap(`Note: ${warning}`)}\n`);
  terminal.print(
    endpoints.length === 0
      ? `No console profile contains ${JSON.stringify(make)} in its name.`
      : `Settings to enter, for each console profile:\n\n${formatInstructions(endpoints)}`,
  );
}
