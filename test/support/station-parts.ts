import { orderRows, partOf, type StationPart } from '#domain/weather/row-order.js';
import type { ObservationBatch } from '#domain/weather/series.js';

/** Splits a batch into one series for each station. The rows of the batch may be in any order. */
export function partsByStation(batch: ObservationBatch): Map<number, StationPart> {
  const order = orderRows(batch);
  return new Map(order.groups.map((group) => [group.station, partOf(batch, order, group)]));
}
