import { useSignal } from '../live/use-signal.js';
import { session, signOut } from '../session.js';
import { useSite } from '../site-context.js';
import { SignInLink } from './sign-in.js';

/** The name of the signed-in user with the button to sign out, or the button to sign in. */
export function Account() {
  const { text, signIn } = useSite();
  const current = useSignal(session);
  if (!signIn) return null;
  if (current === undefined)
    return (
      <span class="account">
        <SignInLink name="button" />
      </span>
    );
  return (
    <span class="account">
      <span class="quiet">{current.user}</span>{' '}
      <button type="button" onClick={() => void signOut()}>
        {text.session.signOut}
      </button>
    </span>
  );
}
