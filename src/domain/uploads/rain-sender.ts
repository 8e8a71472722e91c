import type { UploadKey } from './upload-key.js';

/** The fields of an upload key that decide whether the rain in its uploads is stored. */
type RainKey = Pick<UploadKey, 'number' | 'station' | 'settings'>;

/**
 * Whether the rain in the uploads with a new key is stored. It is stored only for the first key of a station, because the amounts
 * of two senders would add up.
 */
export function storesRainByDefault(station: number, keys: readonly RainKey[]): boolean {
  return !keys.some((key) => key.station === station && key.settings.rain);
}

/** The warning about the rain in the uploads with a key. Null if this key is the only one of its station whose rain is stored. */
export function rainWarning(key: RainKey, keys: readonly RainKey[]): string | null {
  const { number, station, settings } = key;
  const others = keys.filter((one) => one.station === station && one.number !== number && one.settings.rain);
  const numbers = others.map((one) => one.number).join(', ');
  const command = (setting: 'on' | 'off') => `\`weatherd upload map ${number} --rain ${setting}\``;
  if (others.length === 0)
    return settings.rain
      ? null
      : `No key stores the rain of this station. ${command('on')} stores the rain of key ${number}.`;
  const isOne = others.length === 1;
  return settings.rain
    ? `${isOne ? `Key ${numbers} also stores` : `Keys ${numbers} also store`} the rain of this station, and the amounts of ` +
        `several senders add up. ${command('off')} leaves out the rain of key ${number}.`
    : `The rain of key ${number} is not stored, because ${isOne ? `key ${numbers} stores` : `keys ${numbers} store`} the ` +
        `rain of this station, and the amounts of two senders would add up. ${command('on')} stores it too.`;
}
