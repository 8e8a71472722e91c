import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { isUnreachable, WeatherdError } from '../api.js';
import { faultText } from '../parts/fault.js';
import { session } from '../session.js';
import { useSite } from '../site-context.js';
import { adminRequest, PasswordCanceled, type SendRequest } from './admin-request.js';
import { faultsOf } from './faults.js';
import { useAdminText } from './text.js';

/**
 * State of an action of the user: whether the action runs, and the message of the API if the action failed.
 *
 * @param names fields of the form, to which the message is assigned
 */
export function useAction(names: readonly string[] = []) {
  const { text } = useSite();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const { fields, general } = faultsOf(message, names);
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setMessage('');
    try {
      await action();
    } catch (error) {
      if (error instanceof PasswordCanceled) return;
      setMessage(isUnreachable(error) ? faultText(error, text) : (error as Error).message);
      if (!(error instanceof WeatherdError || error instanceof InputFault)) throw error;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, fault: general, faults: fields };
}

/** A fault in the input that is found before a request. Its message has the format of the API: `body.FIELD: …`. */
export class InputFault extends Error {
  override readonly name = 'InputFault';
}

export function FormFault({ children }: { readonly children: string | undefined }) {
  return (
    <p class="fault" role="alert">
      {children}
    </p>
  );
}

/** The fault and the buttons at the end of a form. */
export function FormEnd({
  fault,
  isBusy,
  onCancel,
}: {
  readonly fault: string | undefined;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}) {
  const text = useAdminText();
  return (
    <>
      <FormFault>{fault}</FormFault>
      <div class="buttons">
        <button type="submit" class="main" disabled={isBusy}>
          {text.save}
        </button>
        <button type="button" onClick={onCancel}>
          {text.cancel}
        </button>
      </div>
    </>
  );
}

interface InputSettings {
  readonly name: string;
  readonly type?: 'date' | 'datetime-local' | 'email' | 'number' | 'password' | 'search' | 'text';
  readonly defaultValue?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: 'any' | '1';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autocomplete?: 'new-password' | 'off' | 'username';
  readonly autocapitalize?: 'none';
  /** Id of a `datalist` element with suggestions. */
  readonly list?: string;
}

/**
 * The `input` element, with one TypeScript type for all its attributes. Preact declares a separate TypeScript type for each value
 * of the attribute `type`.
 */
const Input = 'input' as unknown as FunctionComponent<InputSettings & { readonly id: string }>;

/** A field with a label, a hint and a fault. Screen readers read the hint and the fault together with the field. */
export function FormField({
  label,
  hint,
  fault,
  lines,
  ...input
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  /** Number of visible lines of a `textarea`. Without this number, the field is an `input`. */
  readonly lines?: number;
} & InputSettings) {
  const id = useId();
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`];
  const described = [hint === undefined ? '' : hintId, fault === undefined ? '' : faultId].join(' ').trim();
  const shared = {
    id,
    'aria-invalid': fault !== undefined,
    ...(described !== '' && { 'aria-describedby': described }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined ? (
        <Input {...shared} {...input} />
      ) : (
        <textarea {...shared} name={input.name} rows={lines} defaultValue={input.defaultValue ?? ''} />
      )}
      {hint !== undefined && (
        <p id={hintId} class="quiet">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={faultId} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}

/** Prevents the submission by the browser and returns the trimmed values by name. Unchecked checkboxes are absent. */
export function formValues(event: Event): Readonly<Record<string, string>> {
  event.preventDefault();
  const data = new FormData(event.currentTarget as HTMLFormElement);
  return Object.fromEntries(
    [...data].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
  );
}

export interface FormList<T> {
  /** The newest reply of the API; undefined until the first reply. */
  readonly reply: T | undefined;
  readonly fault: string;
  readonly reload: () => Promise<void>;
}

/**
 * Reads a list of the API when the component is mounted, when `query` changes, and when `reload` is called.
 *
 * @param request sends the request with the token that it needs
 */
export function useList<T>(
  send: SendRequest<T>,
  query?: object,
  request: (send: SendRequest<T>) => Promise<T> = adminRequest,
): FormList<T> {
  const [reply, setReply] = useState<T>();
  const { run, fault } = useAction();
  /** Number of the newest request. Replies to older requests are ignored, and also replies after the component was removed. */
  const newest = useRef(0);
  const reload = () =>
    run(async () => {
      newest.current += 1;
      const number = newest.current;
      const read = await request(send);
      if (number === newest.current && session.peek() !== undefined) setReply(read);
    });
  useEffect(() => {
    void reload();
    return () => {
      newest.current += 1;
    };
  }, [query]);
  return { reply, fault, reload };
}

/** A table that scrolls horizontally in a narrow window. */
export function Table({
  label,
  heads,
  children,
}: {
  readonly label: string;
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
