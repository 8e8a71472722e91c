import type { Exchange } from '#application/ports/source-network.js';
import { SourceFailure } from '#domain/sources/source-failure.js';

/** The failure for a host whose address the rule does not allow. */
export function addressFailure(rule: Exchange['rule']): SourceFailure {
  return new SourceFailure(
    rule === 'private'
      ? 'The host has no private address. A local device has one; "weatherd source add --allow-any-address" permits others.'
      : 'The host has no public address. A service on the internet has one; "weatherd source add --allow-any-address" permits others.',
    { needsOwner: true },
  );
}
