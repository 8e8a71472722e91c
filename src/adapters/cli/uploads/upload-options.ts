import { type Command, InvalidArgumentError, Option } from 'commander';
import { MAX_OVERLAP } from '#application/uploads/keys/rotate-upload-key.js';
import { type Gauge, GAUGES } from '#domain/uploads/upload.js';
import type { UploadSettings } from '#domain/uploads/upload-key.js';

/** Options that several commands for uploads have in common. */

export interface SettingOptions {
  readonly windUnit?: UploadSettings['windUnit'];
  readonly gauge?: Gauge | 'auto';
  readonly rain?: 'on' | 'off';
}

export function addSettingOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--wind-unit <unit>',
        'unit of the wind of consoles that send metric values without a unit (default: km/h)',
      ).choices(['km/h', 'm/s']),
    )
    .addOption(
      new Option(
        '--gauge <gauge>',
        'the gauge whose rain is stored, if a console has two (default: auto)',
      ).choices([...GAUGES, 'auto']),
    )
    .addOption(
      new Option(
        '--rain <on|off>',
        'store the rain of this sender (default: only for the first key of a station)',
      ).choices(['on', 'off']),
    );
}

export function toUploadSettings({ windUnit, gauge, rain }: SettingOptions): Partial<UploadSettings> {
  return {
    ...(windUnit !== undefined && { windUnit }),
    ...(gauge !== undefined && { gauge: gauge === 'auto' ? null : gauge }),
    ...(rain !== undefined && { rain: rain === 'on' }),
  };
}

export function parseKeyNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError(
      'It must be the number of a key. "weatherd upload-key list" shows the keys.',
    );
  return Number(text);
}

export function parseOverlap(text: string): number {
  if (!/^\d{1,8}$/.test(text) || Number(text) > MAX_OVERLAP)
    throw new InvalidArgumentError(`It must be a whole number of seconds, at most ${MAX_OVERLAP}.`);
  return Number(text);
}

export function parseDecimal(text: string): number {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i.test(text))
    throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}
