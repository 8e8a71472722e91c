import type { ContainerModuleLoadOptions } from 'inversify';
import { RecordObservations } from '../../application/observations/ingest/record-observations.js';
import { WriteTally } from '../../application/observations/ingest/write-tally.js';
import { Derive } from '../../application/observations/read/derive.js';
import { GetDataVersion } from '../../application/observations/read/get-data-version.js';
import { GetLatest } from '../../application/observations/read/get-latest.js';
import { ListVariables } from '../../application/observations/read/list-variables.js';
import { ReadGate } from '../../application/observations/read/read-gate.js';
import { ReadObservations } from '../../application/observations/read/read-observations.js';
import { Summarize } from '../../application/observations/read/summarize.js';
import { ChangeStations } from '../../application/stations/change-stations.js';
import { EraseStation } from '../../application/stations/erase-station.js';
import { FindStations } from '../../application/stations/find-stations.js';
import { GetStation } from '../../application/stations/get-station.js';
import { ListRemovedStations } from '../../application/stations/list-removed-stations.js';
import { ListStations } from '../../application/stations/list-stations.js';
import { PlaceStations } from '../../application/stations/place-stations.js';
import { PutStations } from '../../application/stations/put-stations.js';
import { RemoveStation } from '../../application/stations/remove-station.js';
import { RestoreStation } from '../../application/stations/restore-station.js';
import { StationDirectory } from '../../application/stations/station-directory.js';
import { SurveyStations } from '../../application/stations/survey-stations.js';
import * as t from './tokens.js';

/** The use-cases of stations and observations, and what they share. */
export function bindWeather(bind: ContainerModuleLoadOptions['bind']): void {
  bind(t.ListVariables).toResolvedValue(() => new ListVariables());
  bind(t.ListStations).toResolvedValue((stations) => new ListStations(stations), [t.StationStore]);
  bind(t.ListRemovedStations).toResolvedValue(
    (stations, observations) => new ListRemovedStations(stations, observations),
    [t.StationStore, t.ObservationStore],
  );
  bind(t.FindStations).toResolvedValue((search) => new FindStations(search), [t.StationSearch]);
  bind(t.GetStation).toResolvedValue(
    (stations, observations) => new GetStation(stations, observations),
    [t.StationStore, t.ObservationStore],
  );
  bind(t.ChangeStations).toResolvedValue(
    (stations, calendar, audit) => new ChangeStations(stations, calendar, audit),
    [t.StationStore, t.Calendar, t.AuditTrail],
  );
  bind(t.PutStations).toResolvedValue((change) => new PutStations(change), [t.ChangeStations]);
  bind(t.RemoveStation).toResolvedValue(
    (clock, stations, audit) => new RemoveStation(clock, stations, audit),
    [t.Clock, t.StationStore, t.AuditTrail],
  );
  bind(t.RestoreStation).toResolvedValue(
    (stations, audit) => new RestoreStation(stations, audit),
    [t.StationStore, t.AuditTrail],
  );
  bind(t.EraseStation).toResolvedValue(
    (stations, audit) => new EraseStation(stations, audit),
    [t.StationStore, t.AuditTrail],
  );
  bind(t.GetDataVersion).toResolvedValue(
    (clock, stations, observations) => new GetDataVersion(clock, stations, observations),
    [t.Clock, t.StationStore, t.ObservationStore],
  );
  bind(t.StationDirectory).toResolvedValue((stations) => new StationDirectory(stations), [t.StationStore]);
  bind(t.WriteTally)
    .toResolvedValue(
      (clock, audit, directory) => new WriteTally(clock, audit, directory),
      [t.Clock, t.AuditStore, t.StationDirectory],
    )
    .onDeactivation((tally) => tally.flush());
  bind(t.RecordObservations).toResolvedValue(
    (clock, stations, directory, observations, audit, tally) =>
      new RecordObservations(clock, stations, directory, observations, audit, tally),
    [t.Clock, t.StationStore, t.StationDirectory, t.ObservationStore, t.AuditTrail, t.WriteTally],
  );
  bind(t.ReadGate).toResolvedValue(() => new ReadGate());
  bind(t.ReadObservations).toResolvedValue(
    (stations, directory, observations, calendar, gate) =>
      new ReadObservations(stations, directory, observations, calendar, gate),
    [t.StationStore, t.StationDirectory, t.ObservationStore, t.Calendar, t.ReadGate],
  );
  bind(t.GetLatest).toResolvedValue(
    (clock, stations, search, directory, observations, gate) =>
      new GetLatest(clock, stations, search, directory, observations, gate),
    [t.Clock, t.StationStore, t.StationSearch, t.StationDirectory, t.ObservationStore, t.ReadGate],
  );
  bind(t.SurveyStations).toResolvedValue(
    (directory, observations) => new SurveyStations(directory, observations),
    [t.StationDirectory, t.ObservationStore],
  );
  bind(t.PlaceStations).toResolvedValue(
    (directory, change) => new PlaceStations(directory, change),
    [t.StationDirectory, t.ChangeStations],
  );
  bind(t.Summarize).toResolvedValue(
    (stations, observations, calendar, gate) => new Summarize(stations, observations, calendar, gate),
    [t.StationStore, t.ObservationStore, t.Calendar, t.ReadGate],
  );
  bind(t.Derive).toResolvedValue((read) => new Derive(read), [t.ReadObservations]);
}
