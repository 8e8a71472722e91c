import type { components, paths } from './schema.js';

/** The types of requests and replies, made from those of the OpenAPI document in `schema.ts`. */

type Schemas = components['schemas'];
export type Station = Schemas['Station'];
export type NewestValue = Schemas['NewestValue'];
export type ObservationColumns = Schemas['ObservationColumns'];

/** The field `error` of a refusal. */
export type ErrorCode = Schemas['Error']['error'];

export type Method = 'get' | 'put' | 'post' | 'delete';

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

interface Operation {
  readonly parameters: object;
  readonly responses: object;
}

export type OperationOf<P extends keyof paths, M extends Method> = Extract<paths[P][M], Operation>;

/** Forms of a reply that can be asked for with `format`. */
export type Format = 'json' | 'csv' | 'geojson' | 'openmetrics';

type Body<O> = O extends { requestBody: { content: infer C } }
  ? { readonly body: C[keyof C] }
  : { readonly body?: never };

/** What a request needs: the parameters of its path, its query and its body. A body that is a string is sent as CSV. */
export type Options<O extends Operation, F extends Format = Format> = Pick<
  O['parameters'],
  Extract<keyof O['parameters'], 'path' | 'query'>
> &
  Body<O> & { readonly query?: { readonly format?: F }; readonly signal?: AbortSignal };

/** The options are left out where nothing is required. */
export type Arguments<T> = Partial<T> extends T ? [options?: T] : [options: T];

type MediaType<F extends Format> = {
  json: 'application/json';
  csv: 'text/csv';
  geojson: 'application/geo+json';
  openmetrics: `application/openmetrics-text${string}`;
}[F];

type SuccessOf<O extends Operation> = O['responses'][Extract<keyof O['responses'], 200 | 201>];

type ContentOf<C, F extends Format> = [Extract<keyof C, MediaType<F>>] extends [never]
  ? C[keyof C]
  : C[Extract<keyof C, MediaType<F>>];

/** The body of a success. */
export type Reply<O extends Operation, F extends Format = 'json'> =
  SuccessOf<O> extends { content: infer C } ? ContentOf<C, F> : undefined;

/** The paths whose replies are pages. */
export type PagedPath = {
  [P in PathOf<'get'>]: Reply<OperationOf<P, 'get'>> extends { next: string | null } ? P : never;
}[PathOf<'get'>];

type EventsOperation = OperationOf<'/v1/events', 'get'>;
export type EventQuery = NonNullable<EventsOperation['parameters']['query']>;

/** A change of a station, or the request to read everything again because changes may be missing. */
export type WeatherEvent =
  | {
      readonly type: 'observation';
      readonly id: string;
      readonly station: string;
      /** The first and the last time of the changed rows, both included. */
      readonly from: string;
      readonly to: string;
      readonly revision: string;
      readonly last_seen: string | null;
      readonly units: Readonly<Record<string, string>>;
      readonly latest: Readonly<Record<string, Omit<NewestValue, 'age'>>>;
    }
  | {
      readonly type: 'reset';
      readonly id: string;
      readonly reason: 'unknown_position' | 'too_old' | 'missed';
    };
