import type { Mapping } from '#adapters/formats/mapping/mapping.js';
import { readMapping } from '#adapters/formats/mapping/read-mapping.js';
import { isOffset } from '#domain/time.js';
import { reasonAt } from '../reason.js';
import { readJson } from './config-file.js';

const SETTING = 'WEATHERD_MQTT_MAPPING';

/**
 * Reads the file of `WEATHERD_MQTT_MAPPING`. The file contains a mapping: rules that say where messages contain weather values.
 *
 * @returns the mapping, or the faults of the file, each as one text
 */
export function readMappingFile(file: string): { readonly mapping: Mapping } | { readonly faults: string[] } {
  let content: unknown;
  try {
    content = readJson(file);
  } catch (error) {
    return { faults: [`${SETTING}: ${reasonAt(file, error)}`] };
  }
  const result = readMapping(content, hasZone);
  if ('mapping' in result) return result;
  return { faults: result.faults.map((fault) => `${SETTING}: ${file}: ${fault}`) };
}

/**
 * The faults of the mapping file. The file lists sources of messages. A source describes the messages of a topic of the MQTT
 * broker, or JSON documents that arrive over HTTP with the name of the source.
 *
 * @param hasBroker whether a broker is configured. If it is, a file without any topic is a fault, because no message of the
 * broker could be used.
 */
export function mappingFaults(file: string, hasBroker: boolean): readonly string[] {
  const result = readMappingFile(file);
  if ('faults' in result) return result.faults;
  const hasTopic = result.mapping.sources.some(({ topic }) => topic !== undefined);
  return hasBroker && !hasTopic
    ? [`${SETTING}: ${file}: no source has a topic of the broker: add "topic" to a source`]
    : [];
}

/**
 * Whether a time zone exists. The calculations with time zones have their own module (`Calendar`). It is not used here, because
 * loading it takes longer than the whole check of the settings.
 */
function hasZone(zone: string): boolean {
  // `Intl` does not support offsets in all versions of Node.
  if (!/^[A-Za-z]/.test(zone)) return isOffset(zone);
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
