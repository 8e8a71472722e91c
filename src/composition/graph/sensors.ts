import { ListSensors } from '#application/sensors/list-sensors.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that keep the states of batteries and signals of sensors. */
export function sensorWirings(): readonly Wiring[] {
  return [
    useCase(NoteSensors, [t.Clock, t.RecordStore, StationDirectory], (sensors) => sensors.flush(true)),
    useCase(ListSensors, [t.StationStore, NoteSensors]),
  ];
}
