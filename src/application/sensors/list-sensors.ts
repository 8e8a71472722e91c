import { type SensorPoint, sinceOf } from '#domain/sensors/sensor-history.js';
import { isLow } from '#domain/sensors/sensor-state.js';
import type { StationStore } from '../ports/station-store.js';
import { findStation } from '../stations/find-station.js';
import type { NoteSensors, SensorSender } from './note-sensors.js';

/** A sensor of a station as a person sees it. */
export interface ListedSensor {
  readonly sensor: string;
  readonly sender: SensorSender;
  /** The newest state. Its time is the time of the newest report. */
  readonly last: SensorPoint;
  readonly isLow: boolean;
  /** Time since which `isLow` has its value, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  /** In ascending order of their times. */
  readonly points: readonly SensorPoint[];
}

/** Lists the sensors of a station with their batteries and signals. */
export class ListSensors {
  readonly #stations: StationStore;
  readonly #sensors: NoteSensors;

  constructor(stations: StationStore, sensors: NoteSensors) {
    this.#stations = stations;
    this.#sensors = sensors;
  }

  /**
   * @param id of the station
   * @returns the sensors in the order of their senders and names. Recent states of other processes may be missing; see `NoteSensors`
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(id: string): Promise<readonly ListedSensor[]> {
    const { number } = await findStation(this.#stations, id);
    return (await this.#sensors.list(number)).flatMap(({ sensor, sender, history }) => {
      const { last, points } = history;
      if (last === null) return [];
      return [{ sensor, sender, last, isLow: isLow(last), since: sinceOf(history) ?? last.time, points }];
    });
  }
}
