import type { TargetReply } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';

/**
 * Asserts that a reply is no page in HTML. Networks of hotels and trains answer every request with their sign-in page and status 200,
 * and the row would count as accepted.
 *
 * @param title name of the service for people
 * @throws TargetFailure
 */
export function assertNoPage(title: string, { text }: TargetReply): void {
  if (!text.trimStart().startsWith('<')) return;
  throw new TargetFailure(
    `The reply is a page and not the one of ${title} to an upload. Check the connection to the Internet.`,
    { reply: text },
  );
}
