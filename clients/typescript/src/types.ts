/** The types of requests and replies, derived from the types of the OpenAPI document in `schema.ts`. */
import type { paths } from './schema.js';

type Path = keyof paths;
export type Method = 'get' | 'put' | 'post' | 'delete';
/** The paths that support a method. */
export type PathOf<M extends Method> = { [P in Path]: paths[P] extends Record<M, object> ? P : never }[Path];

/** Allows undefined for optional properties. */
type Loose<T> = { [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] };
type LooseParameters<T> = { [K in keyof T]: Loose<T[K]> };
type Parameters<O> = O extends { parameters: infer Q }
  ? LooseParameters<Pick<Q, keyof Q & ('path' | 'query')>> & Pick<Q, keyof Q & 'header'>
  : never;
type Body<O> = O extends { requestBody: { content: infer C } } ? { body: C[keyof C] } : { body?: never };
type Optional<T> = Partial<T> extends T ? [options?: T] : [options: T];
/** The options of a request: parameters of the path, query, headers, body and signal. A body that is a string is sent as CSV. */
export type Options<P extends PathOf<M>, M extends Method, Form = unknown> = Optional<
  Parameters<paths[P][M]> &
    Body<paths[P][M]> & { query?: { format?: Form | undefined }; signal?: AbortSignal | undefined }
>;

type Success<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201 | 202)] : never;
type Json<S> = S extends { content: { 'application/json': infer J } } ? J : undefined;
/** The JSON of a successful reply. */
export type Reply<P extends PathOf<M>, M extends Method> = Json<Success<paths[P][M]>>;
/** The paths whose replies are divided into pages. */
export type PagedPath = {
  [P in PathOf<'get'>]: Reply<P, 'get'> extends { next: string | null } ? P : never;
}[PathOf<'get'>];

export type EventQuery = NonNullable<paths['/v1/events']['get']['parameters']['query']>;
type Latest = Reply<'/v1/stations/{id}/observations/latest', 'get'>;
type Change = Pick<Latest, 'last_seen' | 'units' | 'today' | 'derived' | 'alarms'> &
  Record<'station' | 'revision' | 'from' | 'to', string> & {
    latest: Record<string, Omit<Latest['latest'][string], 'age'>>;
  };
/**
 * An event of the stream. An `observation` event contains a station with its newest values; the rows of the station from `from`
 * to `to` have changed. After a `reset` event, the client must read all data again.
 */
export type WeatherEvent = { id: string } & (
  | ({ type: 'observation' } & Change)
  | { type: 'reset'; reason: 'unknown_position' | 'too_old' | 'missed' | 'removed' }
);
