import { connection } from '../live/connection.js';
import { useSignal } from '../live/use-signal.js';
import { timeLanguage } from '../format/time-format.js';
import { useSite } from '../site-context.js';

/** Shows how the page gets new values: live, each minute, or not at all. */
export function ConnectionState() {
  const { text, preferences } = useSite();
  const now = useSignal(connection);
  return (
    <p class={`connection ${now.state}`} role="status">
      {now.state === 'offline'
        ? text.live.offline(
            new Date(now.since).toLocaleTimeString(timeLanguage(preferences.language), {
              hour: '2-digit',
              minute: '2-digit',
              hourCycle: 'h23',
            }),
          )
        : text.live[now.state]}
    </p>
  );
}
