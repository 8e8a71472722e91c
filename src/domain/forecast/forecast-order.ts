import type { Station } from '../weather/station.js';

/** What an owner has ordered: the forecasts of a provider for a station. */
export interface ForecastOrder {
  /** `Station.number`. */
  readonly station: number;
  /** Name of the provider. */
  readonly provider: string;
  /** Time of the order, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
}

/** What has become of the requests of an order. Times are milliseconds since 1970-01-01T00:00:00Z; null if it has not happened. */
export interface OrderState {
  /** Time of the newest forecast. */
  readonly issuedAt: number | null;
  /** Time of the last answer, which may have been the same forecast. */
  readonly answeredAt: number | null;
  /** Time of the first failure after the last answer. */
  readonly failingSince: number | null;
  /** Why the last request failed, or what the provider warns of, as a sentence. */
  readonly reason: string | null;
}

export const NO_ORDER_STATE: OrderState = {
  issuedAt: null,
  answeredAt: null,
  failingSince: null,
  reason: null,
};

/** Largest number of stations with forecasts. */
export const MAX_ORDERS = 200;

/** A position as it is sent to a provider. @param decimals of the degrees */
export function roundedPosition(
  { id, latitude, longitude, elevation }: Pick<Station, 'id' | 'latitude' | 'longitude' | 'elevation'>,
  decimals: number,
) {
  const round = (degrees: number) => Number(degrees.toFixed(decimals));
  return {
    station: id,
    latitude: round(latitude),
    longitude: round(longitude),
    elevation: elevation === null ? null : Math.round(elevation),
  };
}
