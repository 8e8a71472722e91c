import type { ComponentChildren, FunctionComponent, VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isUnreachable, WeatherdError } from '../api.js';
import { useSignal } from '../live/use-signal.js';
import { Fault, faultText } from '../parts/fault.js';
import { session } from '../session.js';
import { useSite } from '../site-context.js';
import type { Text } from '../text/en.js';
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
  const [error, setError] = useState<unknown>();
  const message = error === undefined || error instanceof PasswordCanceled ? '' : messageOf(error, text);
  const { fields, general } = faultsOf(message, names);
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
    } catch (reason) {
      setError(reason);
      if (!EXPECTED.some((type) => reason instanceof type)) throw reason;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error, fault: general, faults: fields };
}

function messageOf(error: unknown, text: Text): string {
  return isUnreachable(error) ? faultText(error, text) : (error as Error).message;
}

/** A fault in the input that is found before a request. Its message has the format of the API: `body.FIELD: …`. */
export class InputFault extends Error {
  override readonly name = 'InputFault';
}

/** Errors that are no faults of the code. */
const EXPECTED = [PasswordCanceled, WeatherdError, InputFault];

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
  readonly onCancel: (() => void) | undefined;
}) {
  const text = useAdminText();
  return (
    <>
      <FormFault>{fault}</FormFault>
      <div class="buttons">
        <button type="submit" class="main" disabled={isBusy}>
          {text.save}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {text.cancel}
          </button>
        )}
      </div>
    </>
  );
}

interface InputSettings {
  readonly name: string;
  readonly type?: 'date' | 'datetime-local' | 'email' | 'number' | 'password' | 'search' | 'text';
  readonly defaultValue?: string;
  readonly placeholder?: string | undefined;
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
const Input = 'input' as unknown as FunctionComponent<InputSettings & SharedAttributes>;

interface SharedAttributes {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
  readonly onChange?: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** The values of a list to choose from, with their labels. */
export type Choices = readonly (readonly [value: string, label: string])[];

/** A field with a label, a hint and a fault. Screen readers read the hint and the fault together with the field. */
export function FormField({
  label,
  hint,
  fault,
  lines,
  choices,
  onChange,
  ...input
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  /** Number of visible lines of a `textarea`. Without this number, the field is an `input`. */
  readonly lines?: number;
  /** With choices, the field is a `select`. */
  readonly choices?: Choices | undefined;
  readonly onChange?: ((value: string) => void) | undefined;
} & InputSettings) {
  const id = useId();
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`];
  const described = [hint === undefined ? '' : hintId, fault === undefined ? '' : faultId].join(' ').trim();
  const shared: SharedAttributes = {
    id,
    'aria-invalid': fault !== undefined,
    ...(described !== '' && { 'aria-describedby': described }),
    ...(onChange && { onChange: ({ currentTarget }) => onChange(currentTarget.value) }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines !== undefined && (
        <textarea {...shared} name={input.name} rows={lines} defaultValue={input.defaultValue ?? ''} />
      )}
      {choices !== undefined && <Select {...shared} {...input} choices={choices} />}
      {lines === undefined && choices === undefined && <Input {...shared} {...input} />}
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

/** A list to choose from. What is chosen stays, also when the choices are read again or do not contain it. */
function Select({
  choices,
  defaultValue = choices[0]?.[0] ?? '',
  onChange,
  name,
  required,
  ...shared
}: { readonly choices: Choices } & Pick<InputSettings, 'name' | 'defaultValue' | 'required'> &
  SharedAttributes) {
  const [picked, setPicked] = useState<string>();
  const chosen = picked ?? defaultValue;
  const isOffered = chosen === '' || choices.some(([value]) => value === chosen);
  return (
    <select
      {...shared}
      name={name}
      required={required === true}
      value={chosen}
      onChange={(event) => {
        setPicked(event.currentTarget.value);
        onChange?.(event);
      }}
    >
      {(isOffered ? choices : ([[chosen, chosen], ...choices] as const)).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
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
  /** What went wrong, with a button that reads the list again. */
  readonly fault: VNode | undefined;
  readonly reload: () => Promise<void>;
  /** Sends a request that changes the list as an administrator, and reads the list again. @throws what the request throws */
  readonly change: (send: SendRequest<unknown>) => Promise<void>;
}

/**
 * Reads a list of the API when the component is mounted, when `query` changes, after a new sign-in, and when `reload` is called.
 *
 * @param request sends the request with the token that it needs
 */
export function useList<T>(
  send: SendRequest<T>,
  query?: object,
  request: (send: SendRequest<T>) => Promise<T> = adminRequest,
): FormList<T> {
  const [reply, setReply] = useState<T>();
  const { notRead } = useAdminText();
  const { text } = useSite();
  const { run, error, fault } = useAction();
  /** Number of the newest request. Replies to older requests are ignored, and also replies after the component was removed. */
  const newest = useRef(0);
  const reload = () =>
    run(async () => {
      newest.current += 1;
      const number = newest.current;
      const isOver = () => number !== newest.current || session.peek() === undefined;
      try {
        const read = await request(send);
        if (!isOver()) setReply(read);
      } catch (reason) {
        if (!isOver()) throw reason;
      }
    });
  const signedIn = useSignal(session)?.basic;
  useEffect(() => {
    if (signedIn !== undefined) void reload();
    return () => {
      newest.current += 1;
    };
  }, [query, signedIn]);
  const change = async (changing: SendRequest<unknown>) => {
    await adminRequest(changing);
    await reload();
  };
  return { reply, fault: error === undefined ? undefined : faultView(), reload, change };

  function faultView() {
    const retry = () => void reload();
    // `Fault` also reads the list again when the service can be reached again.
    if (isUnreachable(error)) return <Fault error={error} retry={retry} />;
    return (
      <p class="fault" role="alert">
        {error instanceof PasswordCanceled ? notRead : fault}{' '}
        <button type="button" onClick={retry}>
          {text.errors.again}
        </button>
      </p>
    );
  }
}

/**
 * A table. In a narrow window, each row is a card, in which the head of the column stands before each value. Without rows, only the
 * text `none` is shown.
 *
 * @param rows undefined until they are read
 * @param children returns the `tr` of a row
 */
export function Table<T>({
  label,
  heads: texts,
  rows,
  none,
  children,
}: {
  readonly label: string;
  readonly heads: readonly string[] | Readonly<Record<string, string>>;
  readonly rows: readonly T[] | undefined;
  readonly none?: string | undefined;
  readonly children: (row: T, index: number) => ComponentChildren;
}) {
  const heads = Object.values(texts);
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    for (const { cells } of body.current?.rows ?? [])
      for (const [index, cell] of [...cells].entries()) cell.dataset['label'] = heads[index] ?? '';
  });
  if (rows === undefined) return null;
  if (rows.length === 0) return none === undefined ? null : <p>{none}</p>;
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="stacked">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{rows.map(children)}</tbody>
      </table>
    </div>
  );
}
