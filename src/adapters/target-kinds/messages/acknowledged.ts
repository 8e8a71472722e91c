import type { TargetReply } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';

/**
 * Asserts that the service itself has accepted a message. A page of a proxy or of another server at a wrong address also answers with
 * status 200, and the message would be lost.
 *
 * @param title name of the service for people
 * @param field the field of the reply that only an accepted message has
 * @throws TargetFailure
 */
export function assertAcknowledged(title: string, reply: TargetReply, field: 'id' | 'ok'): void {
  const fields = reply.json() as Readonly<Record<string, unknown>> | null;
  if (fields?.[field]) return;
  throw new TargetFailure(`The reply is not the one of ${title} to an accepted message. Check the address.`, {
    reply: reply.text,
  });
}
