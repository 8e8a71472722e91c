import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../../domain/accounts/session.js';
import type { AnyEndpoint, TokenAccess } from './endpoint.js';
import type { Headers } from './reply/reply.js';

/** The declaration of an API. `compileApi` makes handlers from it. */
export interface ApiDefinition {
  readonly endpoints: readonly AnyEndpoint[];
  /** Called first; throws a ProtocolError for a caller that is refused. */
  readonly guard?: (message: IncomingMessage) => void;
  /** Headers that depend on the request, such as those of CORS. */
  readonly headers?: (message: IncomingMessage) => Headers;
  /** The user of a token. Rejects with a DomainError if the token does not give this access. */
  readonly authorize: (token: string, access: TokenAccess) => Promise<Principal>;
  /** Whether shutdown has begun. Then only endpoints with `answersWhileClosing` reply. */
  readonly isClosing: () => boolean;
  /** Called for failures that the caller did not cause. @param id of the request */
  readonly onFailure: (id: string, error: unknown) => void;
}
