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
  /** Whether shutdown has begun. Then only endpoints with `answersWhileClosing` still answer. */
  readonly isClosing: () => boolean;
  /** Called for failures that the caller did not cause. @param id of the request */
  readonly onFailure: (id: string, error: unknown) => void;
}
