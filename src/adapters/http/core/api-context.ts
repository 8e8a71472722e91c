import type { ApiName } from '#application/operation/get-info.js';
import type { UseCaseOf } from '#application/use-cases.js';
import type { AnyEndpoint, TokenAccess } from './endpoint.js';

/** The dependencies of every endpoint of an API. */
export interface ApiContext {
  readonly name: ApiName;
  readonly version: string;
  readonly useCase: UseCaseOf;
  /** The access that is needed to read the results of the background checks. */
  readonly checksAccess: 'public' | TokenAccess;
}

export type EndpointMaker<Context extends ApiContext> = (context: Context) => AnyEndpoint;
