import { PackedTowns } from '#adapters/geography/packed-towns.js';
import { KdbushStationSearch } from '#adapters/search-kdbush/kdbush-station-search.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { FindStations } from '#application/stations/find-stations.js';
import { FindTowns } from '#application/stations/find-towns.js';
import { ListRemovedStations } from '#application/stations/list-removed-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { PlaceStations } from '#application/stations/place-stations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { StationEvents } from '#application/stations/station-events.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import { packageFile } from '../package-info.js';
import * as t from './tokens.js';
import { wireFactory, useCase, type Wiring } from './wiring.js';

/** The classes that find, change and remove stations. */
export function stationWirings(): readonly Wiring[] {
  return [
    useCase(StationDirectory, [t.StationStore, t.Announcer]),
    useCase(StationEvents, [AuditTrail, t.Announcer]),
    useCase(ListStations, [t.StationStore]),
    useCase(ListRemovedStations, [t.StationStore, t.ObservationStore]),
    wireFactory(t.StationSearch, (directory) => new KdbushStationSearch(directory), [StationDirectory]),
    useCase(FindStations, [t.StationSearch]),
    wireFactory(t.TownSearch, () => new PackedTowns(packageFile('dist/service/towns.json.br')), []),
    useCase(FindTowns, [t.TownSearch]),
    useCase(ChangeStations, [t.Clock, t.StationStore, t.Calendar, StationEvents]),
    useCase(PutStations, [ChangeStations]),
    useCase(PlaceStations, [StationDirectory, ChangeStations]),
    useCase(RemoveStation, [t.Clock, t.StationStore, StationEvents]),
    useCase(RestoreStation, [t.Clock, t.StationStore, StationEvents]),
    useCase(EraseStation, [t.Clock, t.StationStore, StationEvents]),
    useCase(ListInventories, [StationDirectory, t.ObservationStore]),
  ];
}
