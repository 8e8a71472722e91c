import { useEffect, useState } from 'preact/hooks';
import { useSignal } from '../live/use-signal.js';
import { Dialog } from '../parts/dialog.js';
import { describeSignInFault } from '../parts/sign-in.js';
import { type Session, session, signIn } from '../session.js';
import { useSite } from '../site-context.js';
import { passwordQuestion } from './admin-request.js';
import { elevate, elevatedToken } from './elevated.js';
import { useAdminText } from './text.js';

/**
 * Asks for the password again when an action needs an elevated token, and when the session of the user has ended. Requests that
 * wait for an elevated token then go on.
 *
 * @param onLeave called when a user whose session has ended closes the dialog
 */
export function PasswordDialog({
  user,
  isSignedOut,
  onLeave,
}: {
  readonly user: Session;
  readonly isSignedOut: boolean;
  readonly onLeave: () => void;
}) {
  const question = useSignal(passwordQuestion);
  useEffect(() => () => passwordQuestion.peek()?.cancel(), []);
  if (question === undefined && !isSignedOut) return null;
  return (
    <PasswordForm user={user} isSignedOut={isSignedOut} onClose={isSignedOut ? onLeave : question?.cancel} />
  );
}

function PasswordForm({
  user,
  isSignedOut,
  onClose = () => undefined,
}: {
  readonly user: Session;
  readonly isSignedOut: boolean;
  readonly onClose: (() => void) | undefined;
}) {
  const { text: site } = useSite();
  const text = useAdminText();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const password = form.elements.namedItem('password') as HTMLInputElement;
    setBusy(true);
    setFault(undefined);
    renew(user, password.value)
      .then(() => {
        const token = elevatedToken();
        if (token !== undefined) passwordQuestion.peek()?.resolve(token);
      })
      .catch((error: unknown) => setFault(describeSignInFault(error, site)))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={text.elevation.title} onClose={onClose}>
      <p>{isSignedOut ? text.elevation.ended(user.user) : text.elevation.reason(user.user)}</p>
      <form method="post" onSubmit={submit}>
        <label>
          <span>{site.session.password}</span>
          <input name="password" type="password" autocomplete="current-password" required autofocus />
        </label>
        <p class="fault" role="alert">
          {fault}
        </p>
        <div class="buttons">
          <button type="submit" class="main" disabled={isBusy}>
            {text.elevation.submit}
          </button>
          <button type="button" onClick={onClose}>
            {text.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/**
 * Requests an elevated token. If the session has ended, first signs the user in again.
 *
 * @throws WeatherdError
 */
async function renew({ user, basic }: Session, password: string): Promise<void> {
  if (session.peek() !== undefined) {
    try {
      await elevate(basic, password);
      return;
    } catch (error) {
      // `elevate` has ended the session if the API no longer accepts its token.
      if (session.peek() !== undefined) throw error;
    }
  }
  await signIn(user, password, elevate);
  // `signIn` requests an elevated token for administrators only.
  const renewed = session.peek();
  if (renewed !== undefined && elevatedToken() === undefined && passwordQuestion.peek() !== undefined)
    await elevate(renewed.basic, password);
}
