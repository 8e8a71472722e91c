/**
 * Ready-made settings for common software or devices that send messages. They have the form of a source in a mapping file. A
 * mapping file names the preset, and may change any of these settings.
 */
export interface Preset {
  readonly description: string;
  readonly fields: Readonly<Record<string, object>>;
  readonly [key: string]: unknown;
}

/**
 * Returns one field for each unit, for messages in which names end with a unit: `windSpeed_kph` in km/h, `windSpeed_mps` in m/s.
 */
export function byUnit(
  name: string,
  field: object,
  units: Readonly<Record<string, string>>,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(units).map(([end, unit]) => [`${name}_${end}`, { ...field, unit }]),
  );
}
