import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api.js';
import { useSignal } from '../live/use-signal.js';
import { endSession, hasExpired, signIn } from '../session.js';
import { useSite } from '../site-context.js';
import type { Text } from '../text/en.js';

/** The form to sign in. @param elevates whether the same password gives the rights of administration at once */
export function SignIn({
  reason,
  elevates = false,
}: {
  readonly reason: string;
  readonly elevates?: boolean;
}) {
  const site = useSite();
  const { text } = site;
  const isExpired = useSignal(hasExpired);
  const [isReady, setReady] = useState(false);
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    // The page asks for a sign-in although there is a session: the API no longer accepts it.
    endSession();
    setReady(true);
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value;
    const [user, password] = [field('user').trim(), field('password')];
    setReady(false);
    setFault(undefined);
    signIn(user, password, elevates)
      .catch((error: unknown) => setFault(describeSignInFault(error, text)))
      .finally(() => setReady(true));
  };
  return (
    <section class="notice sign-in">
      <h1>{text.errors.signIn.title}</h1>
      {!site.signIn && <p>{text.session.off}</p>}
      {site.signIn && (
        <>
          <p>{isExpired ? text.session.expired : reason}</p>
          {/* Without JavaScript the button stays disabled: no password is ever sent by the form itself. */}
          <form method="post" onSubmit={submit}>
            <label>
              <span>{text.session.user}</span>
              <input name="user" autocomplete="username" required maxLength={320} autocapitalize="none" />
            </label>
            <label>
              <span>{text.session.password}</span>
              <input name="password" type="password" autocomplete="current-password" required />
            </label>
            <p class="fault" role="alert">
              {fault}
            </p>
            <button type="submit" class="main" disabled={!isReady}>
              {text.session.signIn}
            </button>
          </form>
        </>
      )}
    </section>
  );
}

/** Why a password was not accepted, in words for people. */
export function describeSignInFault(error: unknown, { session, age }: Text): string {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === 'AUTH_INVALID_CREDENTIALS') return session.wrong;
  if (error.code === 'UNREACHABLE') return session.unreachable;
  if (error.code !== 'RATE_LIMITED') return error.message;
  const seconds = Number.isNaN(error.retryAfter) ? 60 : error.retryAfter;
  const wait = seconds < 60 ? session.seconds(seconds) : age.lengths.minutes(Math.ceil(seconds / 60));
  return session.throttled(wait);
}
