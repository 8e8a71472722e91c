import { ContinueDemo } from '#application/demo/continue-demo.js';
import { DemoStations } from '#application/demo/demo-stations.js';
import { RecordTogether } from '#application/observations/ingest/record-together.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { PutStations } from '#application/stations/put-stations.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that make and continue the stations of the demo. */
export function demoWirings(): readonly Wiring[] {
  return [
    useCase(DemoStations, [t.StationStore, t.DemoRecording, PutStations, EraseStation]),
    useCase(ContinueDemo, [
      t.Clock,
      t.StationStore,
      StationDirectory,
      t.ObservationStore,
      RecordTogether,
      t.DemoRecording,
    ]),
  ];
}
