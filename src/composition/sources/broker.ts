import type { RecordMessage } from '#adapters/broker-mqtt/deliveries.js';
import { Mapper } from '#adapters/formats/mapping/mapper.js';
import type { LocalTimes } from '#adapters/formats/tables/local-zone.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { RecordReadings } from '#application/uploads/record-readings.js';
import { ConfigError, type Config } from '../config.js';
import { brokerClientId } from '../data/broker-client-id.js';
import * as t from '../graph/tokens.js';
import { wireFactory, type Wiring } from '../graph/wiring.js';
import { readMappingFile } from '../settings/mapping-file.js';
import { isLoopback } from '../settings/settings.js';
import { readBrokerCa } from '../settings/tls-files.js';

/**
 * Creates the mapper, which uses the rules of the mapping file to find the values in messages of the broker and in JSON over
 * HTTP. Undefined without a mapping file.
 *
 * @throws ConfigError
 */
export function openMapper({ MQTT_MAPPING: file }: Config, calendar: LocalTimes): Mapper | undefined {
  if (file === undefined) return undefined;
  const result = readMappingFile(file);
  if ('faults' in result) throw new ConfigError(result.faults);
  return new Mapper(result.mapping, calendar);
}

/**
 * The client of the broker, if one is configured. It connects at its start.
 *
 * @throws Error if a file cannot be read
 */
export async function brokerClient(
  config: Config,
  mapper: Mapper | undefined,
  { logger }: Log,
): Promise<readonly Wiring[]> {
  const { MQTT_URL: url, MQTT_USERNAME: username, MQTT_PASSWORD: password } = config;
  if (mapper === undefined || url === undefined) return [];
  const ca = readBrokerCa(config);
  const isPlain = url.startsWith('mqtt:') && !isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  if (isPlain && password !== undefined)
    logger.warn(
      { broker: url },
      'the password of the broker is sent without encryption; mqtts:// encrypts it',
    );
  // The module is loaded only if a broker is configured, to save start time and memory.
  const { BrokerClient } = await import('#adapters/broker-mqtt/broker-client.js');
  const broker = {
    url,
    clientId: brokerClientId(config),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { ca }),
  };
  return [
    wireFactory(
      t.Runnable,
      (clock, readings) => {
        const record: RecordMessage = (message) => readings.execute(message);
        const client = new BrokerClient(broker, { mapper, record, clock, log: logger });
        return {
          start: () => client.start(),
          stop: (deadline) => client.stop(deadline),
          checks: [client.check],
        };
      },
      [t.Clock, RecordReadings],
    ),
  ];
}
