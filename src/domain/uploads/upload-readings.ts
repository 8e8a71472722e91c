import { areEqualPressuresWrong, SEA_LEVEL_PRESSURE, SURFACE_PRESSURE } from '../weather/console-pressure.js';
import { type FieldMapping, mappedReading } from './field-mapping.js';
import type { UploadSettings } from './upload-key.js';
import type { Gauge, Reading, Upload, UploadField } from './upload.js';

const RAIN = 'precipitation_amount';

/** What a sender has sent for one time. */
export type SentReadings = Pick<Upload, 'readings' | 'counters' | 'fields'>;

/** The settings of a key and its station that apply to the readings of an upload. */
export interface ReadingRules {
  readonly mappings: readonly FieldMapping<number>[];
  readonly settings: UploadSettings;
  /** Number of the station to which the upload key belongs (`Station.number`). */
  readonly station: number;
  /** Elevation of the station in meters above mean sea level; null if it is unknown. */
  readonly elevation: number | null;
}

export interface UploadReadings {
  /** The readings by number of the station. Each variable occurs at most once for a station. */
  readonly stations: ReadonlyMap<number, readonly Reading[]>;
  /** Sentences about readings that are not stored. */
  readonly remarks: readonly string[];
}

/**
 * Assigns the readings of an upload to stations and variables. By default, the parser of the upload protocol has chosen the
 * variable of each known field. If a field has a mapping, the mapping chooses the variable instead.
 *
 * Each variable of a station gets one value, and the mapping has precedence. For example, `tempf` is stored as `air_temperature`
 * by default. If `temp3f` is mapped to `air_temperature`, only `temp3f` is stored.
 */
export function readingsOf(upload: SentReadings, rules: ReadingRules): UploadReadings {
  const remarks: string[] = [];
  const own = new Map<string, Reading>();
  const stations = new Map([[rules.station, own]]);
  const mappings = new Map(rules.mappings.map((mapping) => [mapping.field, mapping]));
  for (const reading of upload.readings)
    if (!mappings.has(reading.field) && (rules.settings.rain || reading.variable !== RAIN))
      own.set(reading.variable, withUnit(reading, rules.settings));
  if (isUncalibrated(own, rules.elevation)) {
    own.delete(SEA_LEVEL_PRESSURE);
    remarks.push(
      `The console is not calibrated: it sends the same pressure for mean sea level and for the station at ${rules.elevation} m. ` +
        'Only the pressure at the station is stored.',
    );
  }
  const fields: UploadField[] = [
    ...upload.fields,
    ...gaugeFields(upload),
    ...upload.readings.map(({ field: name, value, unit }) => ({
      name,
      value,
      ...(unit !== undefined && { unit }),
    })),
  ];
  const seen = new Set<string>();
  for (const { name, value, unit } of fields) {
    const mapping = mappings.get(name);
    if (mapping === undefined || seen.has(name) || typeof value !== 'number') continue;
    seen.add(name);
    const station = mapping.station ?? rules.station;
    const readings = stations.get(station) ?? new Map<string, Reading>();
    stations.set(station, readings);
    readings.set(mapping.variable, mappedReading(mapping, value, unit));
  }
  return {
    stations: new Map([...stations].map(([station, readings]) => [station, [...readings.values()]])),
    remarks,
  };
}

/**
 * Returns the fields of an upload that are not stored because no mapping assigns them to a variable. If the sender has two rain
 * gauges, the counters of the gauge other than `gauge` (the gauge whose rain is stored) are included.
 */
export function unmappedFields(
  upload: Upload,
  mappings: readonly FieldMapping<number>[],
  gauge: Gauge | undefined,
): readonly UploadField[] {
  const mapped = new Set(mappings.map(({ field }) => field));
  const others = gaugeFields(upload).filter(
    ({ name }) => gauge !== undefined && !name.startsWith(`${gauge}_`),
  );
  return [...upload.fields, ...others].filter(({ name }) => !mapped.has(name));
}

/**
 * Returns the rain counters as fields, so that mappings can use them. For example, the day counter of the piezo gauge becomes the
 * field `piezo_day`.
 */
function gaugeFields({ counters }: Pick<Upload, 'counters'>): UploadField[] {
  return counters.map(({ gauge, period, amount }) => ({
    name: `${gauge}_${period}`,
    value: amount,
    unit: 'mm',
  }));
}

/** Replaces km/h by `windUnit`, because the metric form of Weather Underground does not say whether speeds are in km/h or m/s. */
function withUnit(reading: Reading, { windUnit }: UploadSettings): Reading {
  return reading.unit === 'km/h' ? { ...reading, unit: windUnit } : reading;
}

function isUncalibrated(readings: ReadonlyMap<string, Reading>, elevation: number | null): boolean {
  if (!areEqualPressuresWrong(elevation)) return false;
  const [surface, seaLevel] = [readings.get(SURFACE_PRESSURE), readings.get(SEA_LEVEL_PRESSURE)];
  if (surface === undefined || seaLevel === undefined) return false;
  return surface.value === seaLevel.value && surface.unit === seaLevel.unit;
}
