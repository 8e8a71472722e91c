import type { IncomingMessage } from 'node:http';
import type { Principal } from '#domain/accounts/session.js';
import type { AnyEndpoint, TokenAccess } from './endpoint.js';
import type { Page } from './pages/page.js';
import type { Headers } from './reply/reply.js';

/** Upload keys as bearer tokens, for endpoints whose access has `uploadKey`. */
export interface UploadKeyAccess {
  /** Whether a token has the form of an upload key. */
  isKey(token: string): boolean;
  /**
   * @param station id of the station in the path
   * @returns the actor, for the audit trail. Rejects with an error that is shown to the caller if the key may not write the station
   */
  authorize(token: string, station: string): Promise<{ readonly actor: string }>;
}

/** The declaration of an API. `compileApi` makes handlers from it. */
export interface ApiDefinition {
  readonly endpoints: readonly AnyEndpoint[];
  /** Pages for browsers, and their files. */
  readonly pages?: readonly Page[];
  /** Called first; throws a ProtocolError for a caller that is refused. */
  readonly guard?: (message: IncomingMessage) => void;
  /** Headers that depend on the request, such as those of CORS. */
  readonly headers?: (message: IncomingMessage) => Headers | undefined;
  /** The user of a token. Rejects with a DomainError if the token does not give this access. */
  readonly authorize: (token: string, access: TokenAccess) => Promise<Principal>;
  /** Left out: no upload key is accepted. */
  readonly uploadKeys?: UploadKeyAccess;
  /** Whether shutdown has begun. Then only endpoints with `answersWhileClosing` reply. */
  readonly isClosing: () => boolean;
  /** Called for failures that the caller did not cause. @param id of the request */
  readonly onFailure: (id: string, error: unknown) => void;
}
