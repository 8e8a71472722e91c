import type { ErrorCode } from '../errors.js';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Whether every route needs a bearer token. */
  readonly secured: boolean;
  /** Groups of routes. */
  readonly tags?: readonly Tag[];
  /** The error codes of every request, in addition to the codes of the endpoint. */
  readonly errors?: readonly ErrorCode[];
  /** Example replies by operation id and media type. */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Example error replies by error code. */
  readonly errorExamples?: Readonly<Record<string, unknown>>;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
  /**
   * Paths of the routes of the group, or prefixes of these paths. If the paths of several groups match a route, the longest path
   * decides.
   */
  readonly paths: readonly string[];
}
