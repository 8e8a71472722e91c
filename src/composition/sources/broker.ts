import type { BrokerClient } from '#adapters/broker-mqtt/broker-client.js';
import type { Broker } from '#adapters/broker-mqtt/broker-connection.js';
import type { DeliveryParts, RecordMessage } from '#adapters/broker-mqtt/deliveries.js';
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
import { readBrokerCa } from '../settings/certificate-file.js';

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
 * The parts that use the broker, if one is configured: the client that receives messages, and the publisher of states. They connect
 * at their start.
 *
 * @throws Error if a file cannot be read
 */
export async function brokerParts(
  config: Config,
  mapper: Mapper | undefined,
  { logger }: Log,
): Promise<readonly Wiring[]> {
  const { MQTT_URL: url, MQTT_PUBLISH: topic } = config;
  // A mapping file for JSON over HTTP alone has no topics.
  const receivingMapper = mapper !== undefined && mapper.subscriptions.length > 0 ? mapper : undefined;
  if (url === undefined || (receivingMapper === undefined && topic === undefined)) return [];
  const broker = brokerOf(config, url, logger);
  if (topic === undefined) return await receiver(broker, { mapper: receivingMapper as Mapper, log: logger });
  // The modules are loaded only if they are used, to save start time and memory.
  const { statePublisher, topicsBelow } = await import('./publishing.js');
  const topics = topicsBelow(topic);
  let client: BrokerClient | undefined;
  const receiving =
    receivingMapper === undefined
      ? []
      : await receiver(
          broker,
          { mapper: receivingMapper, log: logger, isOwnTopic: (name) => topics.isPublished(name) },
          (made) => (client = made),
        );
  return [...receiving, ...statePublisher(config, broker, topics, () => client?.defect)];
}

/** The address of the broker and the credentials. Warns if the password is sent without encryption. */
function brokerOf(config: Config, url: string, logger: Log['logger']): Broker {
  const { MQTT_USERNAME: username, MQTT_PASSWORD: password, MQTT_CA: file } = config;
  const ca = file === undefined ? undefined : readBrokerCa(file);
  const isPlain = url.startsWith('mqtt:') && !isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  if (isPlain && password !== undefined)
    logger.warn(
      { broker: url },
      'the password of the broker is sent without encryption; mqtts:// encrypts it',
    );
  return {
    url,
    clientId: brokerClientId(config),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { ca }),
  };
}

/**
 * The client that receives messages.
 *
 * @param onMade called with the client by a caller that checks its health itself. Without it, the client has its own health check
 */
async function receiver(
  broker: Broker,
  parts: Pick<DeliveryParts, 'mapper' | 'log' | 'isOwnTopic'>,
  onMade?: (client: BrokerClient) => void,
): Promise<readonly Wiring[]> {
  const { BrokerClient: Client } = await import('#adapters/broker-mqtt/broker-client.js');
  return [
    wireFactory(
      t.Runnable,
      (clock, readings) => {
        const record: RecordMessage = (message) => readings.execute(message);
        const client = new Client(broker, { ...parts, record, clock });
        onMade?.(client);
        return {
          start: () => client.start(),
          stop: (deadline) => client.stop(deadline),
          checks: onMade === undefined ? [client.check] : [],
        };
      },
      [t.Clock, RecordReadings],
    ),
  ];
}
