import { z } from 'zod';
import { suggestion } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import type { MappedField, Mapping, SourceMapping, StationMapping } from './mapping.js';
import { type FieldJson, MILLIMETERS, type SourceJson, sourceSchema } from './mapping-schema.js';
import { PRESETS } from './presets/index.js';
import { readTopicPattern } from './topic-pattern.js';
import { schemaFault } from '../text/schema-fault.js';

/** Largest number of sources, the entries of a mapping file. */
const MAX_SOURCES = 1000;

/** A valid mapping, or all of its faults, each with its position: `sources[0].fields.temp.unit: …`. */
export type MappingResult = { readonly mapping: Mapping } | { readonly faults: readonly string[] };

/**
 * Validates the content of a mapping file. It has a list of sources, each of which describes messages of one kind. If a source
 * names a preset (ready-made settings for common software), adds the settings of the preset to the source.
 *
 * @param content parsed JSON: `{"sources": […]}`
 * @param hasZone returns whether a time zone exists
 */
export function readMapping(content: unknown, hasZone: (zone: string) => boolean): MappingResult {
  const file = fileSchema().safeParse(content, { error: schemaFault });
  if (!file.success) return { faults: faultsOf(file.error, []) };
  const schema = sourceSchema(hasZone);
  const sources: SourceMapping[] = [];
  const faults: string[] = [];
  const names = new Set<string>();
  for (const [index, written] of file.data.sources.entries()) {
    const place = ['sources', index];
    const unknown = presetFault(written['preset']);
    if (unknown !== undefined) {
      faults.push(`${placeText([...place, 'preset'])}: ${unknown}`);
      continue;
    }
    const source = schema.safeParse(withPreset(written), { error: schemaFault });
    if (!source.success) {
      faults.push(...faultsOf(source.error, place));
      continue;
    }
    const { name } = source.data;
    if (name !== undefined && names.has(name))
      faults.push(`${placeText([...place, 'name'])}: two sources have the name ${quoted(name)}`);
    names.add(name ?? '');
    sources.push(compile(source.data));
  }
  return faults.length > 0 ? { faults } : { mapping: { sources } };
}

function presetFault(preset: unknown): string | undefined {
  if (preset === undefined) return undefined;
  if (typeof preset !== 'string') return 'must be a text';
  if (Object.hasOwn(PRESETS, preset)) return undefined;
  const known = Object.keys(PRESETS);
  return `there is no preset ${quoted(preset)}.${suggestion(preset, known)} Presets: ${known.join(', ')}.`;
}

const fileSchema = () =>
  z.strictObject({
    sources: z
      .array(z.record(z.string(), z.unknown()))
      .min(1, 'must have a source')
      .max(MAX_SOURCES, `has more than ${MAX_SOURCES} sources`),
  });

/**
 * Returns a source (an entry of the mapping file) with the settings of its preset (ready-made settings for common software). If
 * both have the same key, the key of the source is used. The fields of both are merged; a field that is null in the source is
 * removed.
 */
function withPreset(written: Readonly<Record<string, unknown>>): unknown {
  const preset = typeof written['preset'] === 'string' ? PRESETS[written['preset']] : undefined;
  if (preset === undefined) return { fields: {}, ...written };
  const { description: _, ...defaults } = preset;
  const topic = written['name'] === undefined ? {} : { topic: undefined };
  const own = written['fields'];
  const fields = own === undefined || isObject(own) ? { ...own, ...missingFields(preset.fields, own) } : own;
  return { ...defaults, ...topic, ...written, fields };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The fields of a preset (ready-made settings for common software) that the entry of the mapping file itself does not have. */
function missingFields(fields: object, own: object | undefined): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([path]) => own === undefined || !Object.hasOwn(own, path)),
  );
}

function compile(source: SourceJson): SourceMapping {
  const topic = source.topic === undefined ? undefined : readTopicPattern(source.topic);
  const { time, station } = source;
  return {
    name: source.topic ?? source.name ?? '',
    topic: typeof topic === 'string' ? undefined : topic,
    payload: source.payload ?? 'json',
    value: source.value ?? 'value',
    time: time
      ? {
          path: time.path,
          format: time.format,
          zone: time.zone ?? 'UTC',
          isOptional: time.optional === true,
          interval: time.interval ?? 0,
        }
      : undefined,
    station: station && stationOf(station),
    fields: Object.entries(source.fields).flatMap(([path, field]) =>
      field === null ? [] : [fieldOf(path, field)],
    ),
    missing: (source.missing ?? []).map(String),
    ignored: [...(source.ignored ?? []), ...(station !== undefined && 'from' in station ? station.from : [])],
    runtime: source.runtime,
  };
}

function stationOf(station: NonNullable<SourceJson['station']>): StationMapping {
  if ('id' in station) return station;
  return { from: station.from, table: new Map(Object.entries(station.table)) };
}

function fieldOf(path: string, field: FieldJson): MappedField {
  const { unit, scale = 1, rain } = field;
  if (rain !== undefined) {
    const millimeters = unit !== undefined && 'unit' in unit ? MILLIMETERS[unit.unit] : undefined;
    return { path, rain, gauge: field.gauge ?? 'tipping', millimeters: scale * (millimeters ?? 1) };
  }
  return {
    path,
    variable: field.variable ?? '',
    unit:
      unit === undefined || 'unit' in unit
        ? unit?.unit
        : { path: unit.path, units: new Map(Object.entries(unit.units)) },
    scale,
    offset: field.offset ?? 0,
    isCounter: field.counter === true,
    station: field.station,
  };
}

type MappingPath = readonly PropertyKey[];

function faultsOf(error: z.ZodError, place: MappingPath): string[] {
  return error.issues.flatMap((issue) => {
    const at = [...place, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [`${placeText(at)}: ${issue.message}`];
    return issue.keys.map(
      (key) => `${placeText([...at, key])}: this key does not exist.${suggestion(key, keysAt(at))}`,
    );
  });
}

/** The keys that are allowed in an object of the file. */
function keysAt(place: MappingPath): readonly string[] {
  if (place.length === 0) return ['sources'];
  if (place.length === 2)
    return [
      'topic',
      'name',
      'preset',
      'payload',
      'value',
      'time',
      'station',
      'fields',
      'missing',
      'ignored',
      'runtime',
    ];
  if (place[2] === 'time') return ['path', 'format', 'zone', 'optional', 'interval'];
  if (place[2] === 'fields')
    return ['variable', 'rain', 'gauge', 'unit', 'scale', 'offset', 'counter', 'station'];
  return [];
}

/** Formats a position: `['sources', 0, 'fields', 'BME280.Temperature']` → `sources[0].fields["BME280.Temperature"]`. */
function placeText(place: MappingPath): string {
  return place
    .map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      const text = String(key);
      return /^\w+$/.test(text) ? `.${text}` : `[${quoted(text)}]`;
    })
    .join('')
    .replace(/^\./, '');
}
