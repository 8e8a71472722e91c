import type { UploadKey } from './upload-key.js';

/** What decides whether the rain of a key is stored. */
type RainKey = Pick<UploadKey, 'number' | 'station' | 'settings'>;

/** Whether a new key stores rain: the first one of its station does, because the amounts of two senders would add up. */
export function storesRainByDefault(station: number, keys: readonly RainKey[]): boolean {
  return !keys.some((key) => key.station === station && key.settings.rain);
}

/** What a person should know about the rain of a key; null where it is the only one that stores that of its station. */
export function rainWarning(key: RainKey, keys: readonly RainKey[]): string | null {
  const { number, station, settings } = key;
  const others = keys.filter((one) => one.station === station && one.number !== number && one.settings.rain);
  const named = others.map((one) => one.number).join(', ');
  const stores = `${others.length === 1 ? `key ${named} stores` : `keys ${named} store`} the rain of its station`;
  if (others.length === 0)
    return settings.rain
      ? null
      : `No key stores the rain of its station. weatherd upload map ${number} --rain on stores that of key ${number}.`;
  return settings.rain
    ? `Also ${stores}. If several senders send it, it is counted as often: ` +
        `weatherd upload map ${number} --rain off leaves out that of key ${number}.`
    : `Its rain is not stored, because ${stores}, and the amounts of two senders would add up. ` +
        `weatherd upload map ${number} --rain on stores it too.`;
}
