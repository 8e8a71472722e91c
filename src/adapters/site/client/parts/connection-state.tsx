import { MILLISECONDS } from '#domain/time.js';
import { shortLength } from '../format/age.js';
import { useNow } from '../live/clock.js';
import { connection } from '../live/connection.js';
import { useSignal } from '../live/use-signal.js';
import { useSite } from '../site-context.js';

/** Shows how the page gets new values: live, each minute, or not at all and for how long. */
export function ConnectionState() {
  const { text } = useSite();
  const time = useNow();
  const now = useSignal(connection);
  const away = now.state === 'offline' ? time - now.since : 0;
  return (
    <p class={`connection ${now.state}`} role="status">
      {away < MILLISECONDS.minute
        ? text.live[now.state]
        : text.live.offlineFor(shortLength(away / MILLISECONDS.second, text.age))}
    </p>
  );
}

/** Says once for the whole page that the service cannot be reached, so that its values may be old. */
export function OfflineBanner() {
  const { unreachable } = useSite().text.errors;
  if (useSignal(connection).state !== 'offline') return null;
  return (
    <p class="offline-banner" role="alert">
      {unreachable.title}. {unreachable.text}
    </p>
  );
}
