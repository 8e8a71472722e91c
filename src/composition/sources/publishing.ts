import type { Broker } from '#adapters/broker-mqtt/broker-connection.js';
import { BrokerPublisher } from '#adapters/broker-mqtt/publishing/broker-publisher.js';
import { PublishedTopics } from '#adapters/broker-mqtt/publishing/topics.js';
import type { Log } from '#adapters/log-pino/logger.js';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { ReadInterval } from '#application/observations/read/current/read-interval.js';
import { ReadRecent } from '#application/observations/read/current/read-recent.js';
import { PUBLISH_INTERVAL, PublishStates } from '#application/publishing/publish-states.js';
import { PublishedForecasts } from '#application/publishing/published-forecasts.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { feelsLikeBy } from '#domain/weather/derived/comfort/feels-like.js';
import type { Config } from '../config.js';
import * as t from '../graph/tokens.js';
import { constant, useCase, wireFactory, type Wiring } from '../graph/wiring.js';
import { PACKAGE_INFO } from '../package-info.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/** Milliseconds after which the health check reports a round that does not end. */
const LATE = 30_000;

/** The topics of the states. @param topic the setting `WEATHERD_MQTT_PUBLISH` */
export function topicsBelow(topic: string): PublishedTopics {
  return new PublishedTopics(topic);
}

/**
 * Publishes the current weather of stations at the broker while the service runs. If several instances use the same data, only one of
 * them publishes.
 *
 * @param broker with the client id for receiving; publishing uses another one, because a broker disconnects two clients with the same id
 * @param defectOfReceiver a sentence about a defect of the client that receives messages, for the common health check
 */
export function statePublisher(
  config: Config,
  broker: Broker,
  topics: PublishedTopics,
  defectOfReceiver: () => string | undefined,
): readonly Wiring[] {
  const { MQTT_PUBLISH_STATIONS: stations, FEELS_LIKE: feelsLike, PUBLIC_URL: publicUrl } = config;
  const service = { ...PACKAGE_INFO, publicUrl };
  return [
    wireFactory(t.PublisherLease, (leases) => leases('state-publisher'), [t.Leases]),
    wireFactory(
      t.StatePublisher,
      (clock, telemetry, { logger }) => {
        const counterOf = telemetry.counter({
          name: 'weatherd_mqtt_messages_total',
          help: 'Messages that were published at the MQTT broker, and messages that the broker refused.',
          labels: ['outcome'],
        });
        const publisher = new BrokerPublisher(
          { ...broker, clientId: broker.clientId.replace('weatherd', 'weatherp') },
          { topics, service, clock, log: logger, onMessage: (outcome) => counterOf({ outcome }).add(1) },
        );
        telemetry.gauge(
          {
            name: 'weatherd_mqtt_waiting',
            help: 'Stations whose newest state waits for the MQTT broker, and topics that wait to be cleared.',
          },
          () => publisher.waiting,
        );
        return publisher;
      },
      [t.Clock, t.Telemetry, t.Log],
    ),
    useCase(ReadInterval, [t.Clock, t.ObservationStore]),
    useCase(PublishedForecasts, [t.Clock, t.Calendar, ForecastOrders, GetForecast]),
    useCase(PublishStates, [
      constant({ stations, feelsLike: feelsLikeBy(feelsLike) }),
      {
        clock: t.Clock,
        calendar: t.Calendar,
        announcer: t.Announcer,
        directory: StationDirectory,
        observations: t.ObservationStore,
        recent: ReadRecent,
        interval: ReadInterval,
        alarms: AlarmCache,
        forecasts: PublishedForecasts,
        lease: t.PublisherLease,
        publisher: t.StatePublisher,
      },
    ]),
    wireFactory(
      t.Runnable,
      (states, publisher, log) =>
        runner(states, () => defectOfReceiver() ?? publisher.defect ?? describeUnknown(states), log),
      [PublishStates, t.StatePublisher, t.Log],
    ),
  ];
}

function runner(states: PublishStates, defect: () => string | undefined, { logger }: Log): Runnable {
  const rounds = periodic({
    name: 'mqtt broker',
    work: (signal) => states.execute(signal),
    onFailure: (error) =>
      logger.error(
        { reason: reasonOf(error) },
        'the states of stations could not be read for the MQTT broker',
      ),
    defect,
    interval: PUBLISH_INTERVAL,
    late: LATE,
    atOnce: true,
  });
  return {
    ...rounds,
    stop: async (deadline) => {
      await rounds.stop(deadline);
      try {
        await states.close();
      } catch (error) {
        logger.error({ reason: reasonOf(error) }, 'another instance takes over the MQTT broker with a delay');
      }
      return undefined;
    },
  };
}

/** A sentence about stations that the setting names and that do not exist; undefined if there are none. */
function describeUnknown({ unknown }: PublishStates): string | undefined {
  if (unknown.length === 0) return undefined;
  return `WEATHERD_MQTT_PUBLISH_STATIONS names stations that do not exist: ${unknown.join(', ').slice(0, 200)}.`;
}
