import type { ApiClient, Options, Reply, Schemas } from './api.js';

export const ROWS = '/v1/stations/{id}/observations';

/** Observations by column. Times are in seconds since 1970. */
export type ObservationReply = Pick<Reply<typeof ROWS, 'get'>, 'units' | 'quality'> & {
  readonly observations: { readonly time: readonly number[] } & Readonly<
    Record<string, Schemas['ValueColumn']>
  >;
};

/** Reads observations with the times as numbers. @throws WeatherdError */
export async function readObservations(
  api: ApiClient,
  path: { readonly id: string },
  query: NonNullable<NonNullable<Options<typeof ROWS, 'get', 'json'>[0]>['query']>,
  signal?: AbortSignal,
): Promise<ObservationReply> {
  const options = { path, query: { ...query, time: 'unix' as const }, signal };
  // The type of the reply must be converted, because the OpenAPI document describes times only as texts, without `time=unix`.
  return (await api.get(ROWS, options)) as unknown as ObservationReply;
}
