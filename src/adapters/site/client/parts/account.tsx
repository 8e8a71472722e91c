import { useSignal } from '../live/use-signal.js';
import { session, signOut } from '../session.js';
import { useSite } from '../site-context.js';

/** The name of the signed-in user with the button to sign out, or the button to sign in. */
export function Account({ onSignIn }: { readonly onSignIn: () => void }) {
  const { text, signIn } = useSite();
  const current = useSignal(session);
  if (!signIn) return null;
  if (current === undefined)
    return (
      <span class="account">
        {/* Without JavaScript, and on the page about the API, the link leads to a page with the form. */}
        <a
          class="button"
          href="/admin"
          onClick={(event) => {
            event.preventDefault();
            onSignIn();
          }}
        >
          {text.session.signIn}
        </a>
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
