import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
import { FormFault, useAction } from './form.js';
import { useAdminText } from './text.js';

/** A button for a destructive action. It asks for a confirmation first. */
export function ConfirmedButton({
  label,
  confirm = label,
  question,
  act,
}: {
  readonly label: string;
  /** The label of the button that acts; the same by default. */
  readonly confirm?: string;
  readonly question: string;
  readonly act: () => Promise<unknown>;
}) {
  const text = useAdminText();
  const [isAsking, setAsking] = useState(false);
  const { run, fault, isBusy } = useAction();
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && (
        <Dialog title={label} onClose={() => setAsking(false)}>
          <p>{question}</p>
          <FormFault>{fault}</FormFault>
          <div class="buttons">
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => void run(() => act().then(() => setAsking(false)))}
            >
              {confirm}
            </button>
            <button type="button" autofocus onClick={() => setAsking(false)}>
              {text.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
