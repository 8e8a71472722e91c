import { type Command, InvalidArgumentError } from 'commander';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { unknownKey } from '#application/uploads/keys/upload-key-cache.js';
import { ApprovePendingUpload } from '#application/uploads/pending/approve-pending-upload.js';
import { ListPendingUploads, type PendingView } from '#application/uploads/pending/list-pending-uploads.js';
import { ListUploadStatus } from '#application/uploads/status/list-upload-status.js';
import type { UseCaseOf } from '#application/use-cases.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import type { FieldMapping } from '#domain/uploads/field-mapping.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { clip, timeCell } from './upload-cells.js';
import { wrap } from './instruction-text.js';
import { formatStatus, formatStatuses } from './status-table.js';
import {
  addSettingOptions,
  parseDecimal,
  parseKeyNumber,
  type SettingOptions,
  toUploadSettings,
} from './upload-options.js';

/**
 * The pending senders, which send uploads but have no upload key yet, as a table of 80 columns. The readings of a sender are
 * included, so that people can recognize it.
 */
export function formatPending(pending: readonly PendingView[]): string {
  if (pending.length === 0) return 'There are no senders without a key.';
  const rows = pending.map(({ id, lastSeen, address, count, dialect }) => [
    id,
    timeCell(lastSeen),
    clip(address, 21),
    String(count),
    clip(dialect, 14),
  ]);
  const [head = '', ...lines] = formatTable(
    ['ID', 'LAST UPLOAD', 'ADDRESS', 'COUNT', 'PROTOCOL'],
    rows,
  ).split('\n');
  const described = lines.map((line, index) => {
    const { sentId, model, readings, canBeApproved, isWrongKey } = pending[index] as PendingView;
    const texts = [
      ...(model === null ? [] : [clip(model, 64)]),
      ...(sentId === null ? [] : [`station id ${clip(sentId, 64)}`]),
      ...(isWrongKey ? ['wrong key'] : []),
      ...readings.map((reading) => clip(reading, 64)),
    ];
    const key = canBeApproved
      ? []
      : [
          isWrongKey
            ? '  Its uploads are refused. It needs an upload key that exists.'
            : '  It cannot be distinguished from other senders, so that it needs an upload key.',
        ];
    return [line, ...(texts.length > 0 ? [wrap(texts.join(', '), '  ')] : []), ...key].join('\n');
  });
  return [head, ...described].join('\n');
}

interface MapOptions extends SettingOptions {
  readonly station?: string;
  readonly scale?: number;
  readonly offset?: number;
  readonly counter?: boolean;
  readonly remove?: readonly string[];
}

/** Adds the commands `weatherd upload status|pending|approve|map`. */
export function addUploadCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const upload = program
    .command('upload')
    .description('show the uploads of consoles and weather software, and map their fields');

  upload
    .command('status')
    .argument('[key]', 'number of a key, to show all details of its uploads', parseKeyNumber)
    .description('show when each key was last used, and what failed')
    .action((number: number | undefined) =>
      withContext(async ({ useCase }) => {
        const views = await useCase(ListUploadStatus).execute(number);
        if (number === undefined) terminal.print(formatStatuses(views));
        else {
          const key = await findKey(number, useCase);
          for (const view of views) terminal.print(formatStatus(view, key));
        }
      }),
    );

  upload
    .command('pending')
    .description('list the senders without a key, with readings by which they can be recognized')
    .action(() =>
      withContext(async ({ useCase }) => {
        terminal.print(formatPending(await useCase(ListPendingUploads).execute()));
      }),
    );

  upload
    .command('approve <id>')
    .description('accept a sender without a key; its uploads are stored from now on')
    .requiredOption('--station <id>', 'the station that gets its observations')
    .option('--note <text>', 'a note for people, for example where the console is')
    .action((id: string, { station, note = '' }: { station: string; note?: string }) =>
      withContext(async ({ useCase }) => {
        const key = await useCase(ApprovePendingUpload).execute({ id, station, note }, COMMAND_LINE);
        terminal.print(
          wrap(
            `Approved as upload key ${key.number} of ${station}. The key is weak: anybody who learns the uploads of this ` +
              `sender can write to ${station}. "weatherd upload-key rotate ${key.number}" creates a secret to enter in the sender.`,
          ),
        );
        if (key.rainWarning !== null) terminal.print(wrap(`Note: ${key.rainWarning}`));
      }),
    );

  addSettingOptions(
    upload
      .command('map')
      .argument('<key>', 'number of the key', parseKeyNumber)
      .argument('[fields...]', 'FIELD=VARIABLE or FIELD=VARIABLE:UNIT', addMapping)
      .description(
        'store fields of the uploads of a key as variables, from now on; the other mappings do not change',
      )
      .option('--station <id>', 'the station of the values; default: the station of the key')
      .option('--scale <number>', 'value = field × scale + offset', parseDecimal)
      .option('--offset <number>', 'offset in the unit of the mapping', parseDecimal)
      .option('--counter', 'the field is a counter: its increase is stored')
      .option('--remove <field>', 'remove the mapping of a field; may be repeated', collect),
  ).action(
    (number: number, mapped: readonly FieldMapping[] | undefined, options: MapOptions, command: Command) => {
      const { remove = [] } = options;
      const newMappings = (mapped ?? []).map((mapping) => ({ ...mapping, ...changesOf(options) }));
      const settings = toUploadSettings(options);
      if (newMappings.length + remove.length + Object.keys(settings).length === 0)
        command.error('error: give a field to map, --remove or a setting');
      return withContext(async ({ useCase }) => {
        const { mappings: present } = await findKey(number, useCase);
        const leaving = new Set([...remove, ...newMappings.map(({ field }) => field)]);
        for (const field of remove)
          if (!present.some((mapping) => mapping.field === field))
            throw new DomainError(
              'REQUEST_INVALID',
              `The field ${JSON.stringify(field)} is not mapped. "weatherd upload status ${number}" shows the mapped fields.`,
            );
        const staying = present
          .filter(({ field }) => !leaving.has(field))
          .map(({ station, ...mapping }) => {
            if (station === null)
              throw new DomainError(
                'REQUEST_INVALID',
                `The field ${mapping.field} is mapped to a removed station. Restore the station, or give --remove ${mapping.field}.`,
              );
            return station === undefined ? mapping : { ...mapping, station };
          });
        const key = await useCase(MapUploadFields).execute(
          { number, mappings: [...staying, ...newMappings], settings },
          COMMAND_LINE,
        );
        terminal.print(`Upload key ${number} has ${key.mappings.length} mapped field(s).`);
        if (key.rainWarning !== null) terminal.print(wrap(`Note: ${key.rainWarning}`));
      });
    },
  );
}

function changesOf({ station, scale, offset, counter }: MapOptions): Partial<FieldMapping> {
  return {
    ...(station !== undefined && { station }),
    ...(scale !== undefined && { scale }),
    ...(offset !== undefined && { offset }),
    ...(counter === true && { counter }),
  };
}

/** Returns the key with a number. @throws DomainError UPLOAD_KEY_UNKNOWN */
async function findKey(number: number, useCase: UseCaseOf) {
  const key = (await useCase(ListUploadKeys).execute()).find((known) => known.number === number);
  if (key === undefined) throw unknownKey(number);
  return key;
}

function addMapping(text: string, mappings: readonly FieldMapping[] = []): readonly FieldMapping[] {
  const [, field, variable, unit] = /^([^=]+)=([^:]+)(?::(.+))?$/.exec(text) ?? [];
  if (field === undefined || variable === undefined)
    throw new InvalidArgumentError('It must be FIELD=VARIABLE or FIELD=VARIABLE:UNIT.');
  return [...mappings, { field, variable, ...(unit !== undefined && { unit }) }];
}

function collect(text: string, texts: readonly string[] = []): readonly string[] {
  return [...texts, text];
}
