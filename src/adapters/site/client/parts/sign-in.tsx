import { signal } from '@preact/signals-core';
import { useEffect, useState } from 'preact/hooks';
import { isUnreachable, WeatherdError } from '../api.js';
import { useSignal } from '../live/use-signal.js';
import { type Elevate, endSession, hasExpired, signIn } from '../session.js';
import { useSite } from '../site-context.js';
import type { Text } from '../text/en.js';
import { Dialog } from './dialog.js';
import { faultText } from './fault.js';

/** The notice of a page that shows its content only after a sign-in. @param prepare see `signIn` */
export function SignIn({ reason, prepare }: { readonly reason: string; readonly prepare?: Elevate }) {
  const { text, signIn: isOffered } = useSite();
  const isExpired = useSignal(hasExpired);
  useEffect(() => {
    // If there is a session although the page asks for a sign-in, the API no longer accepts this session.
    endSession();
  }, []);
  return (
    <section class="notice sign-in">
      <h1>{text.errors.signIn.title}</h1>
      <p>{!isOffered ? text.session.off : isExpired ? text.session.expired : reason}</p>
      {isOffered && <SignInForm prepare={prepare} />}
    </section>
  );
}

const isDialogOpen = signal(false);

/** The link to sign in on any page. Without JavaScript, and on the page about the API, it leads to a page with the form. */
export function SignInLink({ name }: { readonly name?: string }) {
  const { text } = useSite();
  return (
    <a
      class={name}
      href="/admin"
      onClick={(event) => {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>('main .sign-in [name=user]');
        if (field === null) isDialogOpen.value = true;
        else field.focus();
      }}
    >
      {text.session.signIn}
    </a>
  );
}

/** The dialog of `SignInLink`. */
export function SignInDialog() {
  const { text } = useSite();
  const onClose = () => (isDialogOpen.value = false);
  if (!useSignal(isDialogOpen)) return null;
  return (
    <Dialog title={text.session.signIn} name="sign-in" onClose={onClose}>
      <SignInForm onClose={onClose} />
    </Dialog>
  );
}

/**
 * The sign-in form.
 *
 * @param prepare called with the typed password before the session of an administrator starts. Requests an elevated token, which
 *   is needed for changes and is valid for a few minutes
 */
function SignInForm({
  prepare,
  onClose,
}: {
  readonly prepare?: Elevate | undefined;
  readonly onClose?: () => void;
}) {
  const { text } = useSite();
  const [isReady, setReady] = useState(false);
  const [fault, setFault] = useState<string>();
  useEffect(() => setReady(true), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value;
    const [user, password] = [field('user').trim(), field('password')];
    setReady(false);
    setFault(undefined);
    signIn(user, password, prepare)
      .then(onClose)
      .catch((error: unknown) => setFault(describeSignInFault(error, text)))
      .finally(() => setReady(true));
  };
  // Without JavaScript the button stays disabled, so that the browser never submits the password itself.
  return (
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
      <div class="buttons">
        <button type="submit" class="main" disabled={!isReady}>
          {text.session.signIn}
        </button>
        {onClose !== undefined && (
          <button type="button" onClick={onClose}>
            {text.session.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

/** The text for a user whose sign-in failed. */
export function describeSignInFault(error: unknown, text: Text): string {
  if (!(error instanceof WeatherdError)) throw error;
  const { session, age } = text;
  if (error.code === 'AUTH_INVALID_CREDENTIALS') return session.wrong;
  if (isUnreachable(error)) return faultText(error, text);
  if (error.code !== 'RATE_LIMITED') return error.message;
  const seconds = error.retryAfter ?? 60;
  const wait = seconds < 60 ? session.seconds(seconds) : age.lengths.minutes(Math.ceil(seconds / 60));
  return session.throttled(wait);
}
