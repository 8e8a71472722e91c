import type { RecordMessage } from '#adapters/broker-mqtt/deliveries.js';
import { Mapper } from '#adapters/formats/mapping/mapper.js';
import type { LocalTimes } from '#adapters/formats/tables/local-zone.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { RecordReadings } from '#application/uploads/record-readings.js';
import { ConfigError, type Config } from '../config.js';
import { brokerClientId } from '../data/broker-client-id.js';
import * as t from '../graph/tokens.js';
import { made, type Wiring } from '../graph/wiring.js';
import { readMappingFile } from '../settings/mapping-file.js';
import { isLoopback } from '../settings/settings.js';
import { readBrokerCa } from '../settings/tls-files.js';

/** What the messages of the broker, and JSON over HTTP, mean; undefined without a mapping file. @throws ConfigError */
export function openMapper({ MQTT_MAPPING: file }: Config, calendar: LocalTimes): Mapper | undefined {
  if (file === undefined) return undefined;
  const result = readMappingFile(file);
  if ('faults' in result) throw new ConfigError(result.faults);
  return new Mapper(result.mapping, calendar);
}

/**
 * The client of the configured broker, if there is one. It does not connect before it is started.
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
  // Loaded only here, so that a service without a broker does not pay for it.
  const { BrokerClient } = await import('#adapters/broker-mqtt/broker-client.js');
  const broker = {
    url,
    clientId: brokerClientId(config),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { ca }),
  };
  return [
    made(
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
