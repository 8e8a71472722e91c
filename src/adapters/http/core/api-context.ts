import type { ApiName } from '../../../application/operation/get-info.js';
import type { UseCaseOf } from '../../../application/use-cases.js';
import type { AnyEndpoint, TokenAccess } from './endpoint.js';

/** What every endpoint of an API is made from. */
export interface ApiContext {
  readonly name: ApiName;
  readonly version: string;
  readonly useCase: UseCaseOf;
  /** Who may read what the background checks found. */
  readonly checksAccess: 'public' | TokenAccess;
}

export type EndpointMaker<Context extends ApiContext> = (context: Context) => AnyEndpoint;
