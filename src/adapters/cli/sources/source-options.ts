import { type Command, InvalidArgumentError } from 'commander';
import type { SourceSettings } from '#domain/sources/source.js';
import type { FieldMapping } from '#domain/uploads/field-mapping.js';
import { MILLISECONDS } from '#domain/time.js';

export interface SourceOptions {
  readonly station?: string;
  readonly address?: string;
  readonly account?: string;
  readonly device?: string;
  readonly url?: string;
  readonly filePort?: number;
  readonly every?: number | 'station';
  readonly map?: readonly FieldMapping[];
  readonly secretFile?: string;
  readonly allowAnyAddress?: boolean;
}

/** Adds the options that `source add` and `source set` have in common. */
export function addSourceOptions(command: Command): Command {
  return command
    .option(
      '--address <host:port>',
      'the device; for a device that sends by itself, the address to listen on',
    )
    .option('--account <id>', 'the station, MAC or device at the service')
    .option('--device <id>', 'a serial number, the number of a transmitter, or a channel behind the address')
    .option('--url <url>', 'a base URL in place of that of the service')
    .option('--file-port <port>', 'the port from which the device serves its files', parsePort)
    .option(
      '--every <time>',
      'time between two requests: 60s, 5min; "station" for the reporting interval of the station',
      parseEvery,
    )
    .option(
      '--map <field=variable>',
      'store a field: FIELD=VARIABLE, FIELD=VARIABLE:UNIT or FIELD=VARIABLE:UNIT*FACTOR; :counter may follow for a field ' +
        'that counts, such as the rain of a day or of a year; may be repeated',
      addMapping,
    )
    .option('--secret-file <file>', 'file with lines name=value: tokens, keys and passwords')
    .option('--allow-any-address', 'allow a local device a public address, and a service a private one');
}

/** The settings that the options name, in place of those of `known`. */
export function settingsOf(
  { address, account, device, url, filePort }: SourceOptions,
  known: SourceSettings = {},
): SourceSettings {
  return {
    ...known,
    ...(address !== undefined && { address }),
    ...(account !== undefined && { account }),
    ...(device !== undefined && { device }),
    ...(url !== undefined && { url }),
    ...(filePort !== undefined && { filePort }),
  };
}

function parseEvery(text: string): number | 'station' {
  if (text === 'station') return text;
  const [, count, unit = 's'] = /^(\d{1,6})(s|min|h)?$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It must be a time such as 60s, 5min or 1h.');
  const size = { s: MILLISECONDS.second, min: MILLISECONDS.minute, h: MILLISECONDS.hour }[
    unit as 's' | 'min' | 'h'
  ];
  return (Number(count) * size) / MILLISECONDS.second;
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be the number of a port.');
  return Number(text);
}

function addMapping(text: string, mappings: readonly FieldMapping[] = []): readonly FieldMapping[] {
  const [, field, variable, unit, scale, counter] =
    /^([^=]+)=([^:=*]+)(?::(?!counter$)([^*:]+))?(?:\*(\d+(?:\.\d+)?))?(:counter)?$/.exec(text) ?? [];
  if (field === undefined || variable === undefined)
    throw new InvalidArgumentError(
      'It must be FIELD=VARIABLE, FIELD=VARIABLE:UNIT or FIELD=VARIABLE:UNIT*FACTOR; :counter may follow.',
    );
  const mapping = {
    field,
    variable,
    ...(unit !== undefined && { unit }),
    ...(scale !== undefined && { scale: Number(scale) }),
    ...(counter !== undefined && { counter: true }),
  };
  return [...mappings, mapping];
}
