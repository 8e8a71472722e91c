import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../../domain/accounts/session.js';
import type { AnyEndpoint, TokenAccess } from './endpoint.js';
import type { Headers } from './reply/reply.js';

/** An API as it is declared, before `compileApi` makes handlers of it. */
export interface ApiDefinition {
  readonly endpoints: readonly AnyEndpoint[];
  /** Asked before anything else; throws a ProtocolError for a caller that is not let in. */
  readonly guard?: (message: IncomingMessage) => void;
  /** Headers that depend on the request, CORS for one. */
  readonly headers?: (message: IncomingMessage) => Headers;
  /** Whose token it is; rejects with a DomainError when it does not give this access. */
  readonly authorize: (token: string, access: TokenAccess) => Promise<Principal>;
  /** Whether shutdown has begun: from then on only endpoints that say so still answer. */
  readonly isClosing: () => boolean;
  /** Is told of failures that are nobody's input. `id` is the request's. */
  readonly onFailure: (id: string, error: unknown) => void;
}
