import { useEffect, useState } from 'preact/hooks';
import { useSignal } from '../live/use-signal.js';
import { describeSignInFault } from '../parts/sign-in.js';
import { session } from '../session.js';
import { useSite } from '../site-context.js';
import { passwordQuestion } from './admin-request.js';
import { Dialog } from '../parts/dialog.js';
import { elevate } from './elevated.js';
import { useAdminText } from './text.js';

/** Asks for the password again when an action needs an elevated token. */
export function ElevationDialog() {
  const wish = useSignal(passwordQuestion);
  const current = useSignal(session);
  const { text: site } = useSite();
  const text = useAdminText();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => () => passwordQuestion.peek()?.cancel(), []);
  if (wish === undefined || current === undefined) return null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const password = form.elements.namedItem('password') as HTMLInputElement;
    setBusy(true);
    setFault(undefined);
    elevate(current.basic, password.value)
      .then(wish.resolve, (error: unknown) => setFault(describeSignInFault(error, site)))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={text.elevation.title} onClose={wish.cancel}>
      <p>{text.elevation.reason(current.user)}</p>
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
          <button type="button" onClick={wish.cancel}>
            {text.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
