import type { Inventory } from '#application/ports/observation-store.js';
import type { ListedRemoval } from '#application/stations/list-removed-stations.js';
import { periodsOf } from '#domain/weather/station-history.js';
import { RESTORABLE, type Station } from '#domain/weather/station.js';
import { recordedYear } from '#domain/weather/stations/demo.js';
import { columnOfDamage } from '#domain/weather/stations/stored-station.js';
import { variableNamed, variableNumbered } from '#domain/weather/variables.js';
import { formatTable } from '../table.js';

const time = (value: number | null) => (value === null ? '-' : new Date(value).toISOString());
const unitOf = (name: string) => variableNamed(name)?.unit ?? '';
const withUnit = (value: number | null, unit: string) => (value === null ? '-' : `${value} ${unit}`);

export function formatStations(stations: readonly Station[]): string {
  const rows = stations.map((station) => [
    station.id,
    String(station.number),
    station.latitude.toFixed(4),
    station.longitude.toFixed(4),
    station.elevation === null ? '-' : String(station.elevation),
    station.timeZone,
    shownTo(station),
    nameOf(station),
  ]);
  return formatTable(
    ['ID', 'NUMBER', 'LATITUDE', 'LONGITUDE', 'ELEVATION', 'TIME ZONE', 'SHOWN', 'NAME'],
    rows,
  );
}

export function formatRemoved(removed: readonly ListedRemoval[]): string {
  const rows = removed.map(({ station, removedAt, inventory }) => [
    station.id,
    time(removedAt),
    time(removedAt + RESTORABLE),
    String(inventory.count),
    station.name,
  ]);
  return formatTable(['ID', 'REMOVED', 'RESTORABLE UNTIL', 'OBSERVATIONS', 'NAME'], rows);
}

/** The name of a station, and the year of its values if their times are moved. */
function nameOf(station: Station): string {
  const recorded = recordedYear(station);
  return recorded === undefined ? station.name : `${station.name} (recorded in ${recorded})`;
}

/** Who sees a station, and how exact the displayed position is. */
function shownTo({ visibility = 'public', positionDecimals: decimals }: Station): string {
  if (visibility === 'hidden') return 'hidden';
  return typeof decimals === 'number'
    ? `rounded to ${Number((10 ** -decimals).toFixed(decimals))}°`
    : 'public';
}

/**
 * The rows of a table with the history of a station. Each row is a period in which the configuration (such as the position and
 * the reporting interval) did not change. The last row is the current period. Empty for a station without a history.
 */
function historyRows(station: Station): string[][] {
  if (station.earlier === undefined) return [];
  return periodsOf(station).map((period) => {
    const { since, until, latitude, longitude, elevation, reportingInterval, sensorHeights = {} } = period;
    const { dailyObservationTime } = period;
    const heights = Object.entries(sensorHeights).map(([name, height]) => `${name} at ${height} m`);
    const place = [`${latitude} ${longitude}`, withUnit(elevation, 'm')];
    return [
      since === null ? `until ${time(until)}` : `since ${time(since)}`,
      [
        ...place,
        `every ${withUnit(reportingInterval, 's')}`,
        ...heights,
        ...(typeof dailyObservationTime === 'string' ? [`daily values read at ${dailyObservationTime}`] : []),
      ].join(', '),
    ];
  });
}

/** The row of the year in which the values were recorded, if their times are moved. */
function recordedRow(station: Station): string[][] {
  const recorded = recordedYear(station);
  return recorded === undefined ? [] : [['recorded', `in ${recorded}, shown as if measured now`]];
}

/** A table of all fields of a station, with a summary of its observations. */
export function formatStation(station: Station, inventory: Inventory): string {
  const variables = inventory.variables.map((number) => variableNumbered(number).name);
  return formatTable(
    ['FIELD', 'VALUE'],
    [
      ['id', station.id],
      ['number', String(station.number)],
      ['name', station.name],
      ['latitude', String(station.latitude)],
      ['longitude', String(station.longitude)],
      ['elevation', withUnit(station.elevation, 'm')],
      ['time zone', station.timeZone],
      ['interval', withUnit(station.reportingInterval, 's')],
      ...(typeof station.stampInterval === 'number'
        ? [['timestamps', `at the start of an interval of ${station.stampInterval} s`]]
        : []),
      ...(typeof station.dailyObservationTime === 'string'
        ? [['daily values', `read at ${station.dailyObservationTime}`]]
        : []),
      ...recordedRow(station),
      ['visibility', station.visibility ?? 'public'],
      ...(typeof station.positionDecimals === 'number'
        ? [['position decimals', String(station.positionDecimals)]]
        : []),
      ...Object.entries(station.identifiers).map(([key, value]) => [`identifier ${key}`, value]),
      ...Object.entries(station.limits).map(([name, { min, max }]) => [
        `limits of ${name}`,
        `${min} to ${max} ${unitOf(name)}`,
      ]),
      ...Object.entries(station.steps ?? {}).map(([name, { perMinute, perHour }]) => [
        `steps of ${name}`,
        `${perMinute} ${unitOf(name)} in a minute, ${perHour} in an hour`,
      ]),
      ...Object.entries(station.persistence ?? {}).map(([name, seconds]) => [
        `persistence of ${name}`,
        `${seconds} s`,
      ]),
      ...Object.entries(station.sensorHeights ?? {}).map(([name, height]) => [
        `height of ${name}`,
        `${height} m`,
      ]),
      ...Object.entries(station.cellMethods ?? {}).map(([name, method]) => [
        `cell method of ${name}`,
        method,
      ]),
      ...historyRows(station),
      ...(station.damaged ?? []).map((damage) => ['damaged', `${columnOfDamage(damage)} ${damage.reason}`]),
      ['observations', String(inventory.count)],
      ['first', time(inventory.first)],
      ['last', time(inventory.last)],
      ...(inventory.days === undefined
        ? []
        : [
            ['days with values', String(inventory.days.count)],
            ['first day', time(inventory.days.first)],
            ['last day', time(inventory.days.last)],
          ]),
      ['variables', variables.join(', ') || '-'],
    ],
  );
}
