import type { IncomingMessage } from 'node:http';
import type { Principal } from '#domain/accounts/session.js';
import type { AnyEndpoint, TokenAccess } from './endpoint.js';
import type { Page } from './pages/page.js';
import type { Headers } from './reply/reply.js';

/** Authorizes upload keys as bearer tokens, for endpoints whose access has `uploadKey`. */
export interface UploadKeyAccess {
  /** Whether a token has the form of an upload key. */
  isKey(token: string): boolean;
  /**
   * @param station id of the station in the path
   * @returns the actor, for the audit trail
   * @throws DomainError, which is shown to the caller, if the key may not write to the station
   */
  authorize(token: string, station: string): Promise<{ readonly actor: string }>;
}

/** The declaration of an API. `compileApi` builds its handlers. */
export interface ApiDefinition {
  readonly endpoints: readonly AnyEndpoint[];
  /** Pages and files for browsers. */
  readonly pages?: readonly Page[];
  /** Called before every handler. Throws a ProtocolError to refuse the caller. */
  readonly guard?: (message: IncomingMessage) => void;
  /** Headers of the reply that depend on the request, such as CORS headers. */
  readonly headers?: (message: IncomingMessage) => Headers | undefined;
  /** Returns the user of a token. Rejects with a DomainError if the token does not give the required access. */
  readonly authorize: (token: string, access: TokenAccess) => Promise<Principal>;
  /** If undefined, no upload key is accepted. */
  readonly uploadKeys?: UploadKeyAccess;
  /** Whether shutdown has begun. Then only endpoints with `answersWhileClosing` reply. */
  readonly isClosing: () => boolean;
  /** Called for failures that the caller did not cause. @param id id of the request */
  readonly onFailure: (id: string, error: unknown) => void;
}
