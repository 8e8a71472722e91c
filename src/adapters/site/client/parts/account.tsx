import { useSignal } from '../live/use-signal.js';
import { session, signOut } from '../session.js';
import { useSite } from '../site-context.js';

/** The name of the signed-in user, and the button to sign out. */
export function Account() {
  const { text } = useSite();
  const current = useSignal(session);
  if (current === undefined) return null;
  return (
    <span class="account">
      <span class="quiet">{current.user}</span>{' '}
      <button type="button" onClick={() => void signOut()}>
        {text.session.signOut}
      </button>
    </span>
  );
}
