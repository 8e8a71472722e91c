import type { ErrorCode } from '../errors.js';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Whether every route needs a bearer token. */
  readonly secured: boolean;
  /** Groups of routes. */
  readonly tags?: readonly Tag[];
  /** The error codes of every request, in addition to those of the endpoint. */
  readonly errors?: readonly ErrorCode[];
  /** Replies by operation id. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
  /** The paths of the routes, or what they begin with. The longest fitting path decides. */
  readonly paths: readonly string[];
}
