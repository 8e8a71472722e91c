import { useState } from 'preact/hooks';
import { WeatherdError } from '../api.js';
import { Dialog } from '../parts/dialog.js';
import { chosenFields, type Choice, type Difference, differencesOf, type Fields } from './conflict-model.js';
import { FormEnd, formValues, InputFault, useAction } from './form.js';
import { useAdminText } from './text.js';

/** A stored resource with its ETag; in a form, as the fields of the request that replaces it. */
export interface Version<Body> {
  readonly body: Body;
  readonly etag: string | null;
}

/** Reads a resource and its ETag from a reply. @param toBody converts the JSON of the reply */
export async function versionOf<Body>(
  response: Response,
  toBody: (json: never) => Body,
): Promise<Version<Body>> {
  return { body: toBody((await response.json()) as never), etag: response.headers.get('etag') };
}

/** The precondition that a resource has not changed since it was read, or does not exist if it is new. */
function preconditionOf(etag: string | null | undefined): Record<string, string> {
  if (etag === undefined) return { 'If-None-Match': '*' };
  // A proxy that compresses replies makes ETags weak, but If-Match needs strong ETags (RFC 9110, section 13.1.1). So the mark
  // `W/` of a weak ETag is removed.
  return etag === null ? {} : { 'If-Match': etag.replace(/^W\//, '') };
}

/** Whether a request was refused because the resource was created or changed meanwhile. */
function isConflict(error: unknown): boolean {
  return error instanceof WeatherdError && error.code === 'PRECONDITION_FAILED';
}

interface Conflict<Body extends Fields> {
  readonly name: string;
  readonly mine: Body;
  readonly theirs: Version<Body>;
  readonly differences: readonly Difference[];
}

/**
 * Saves a form with a new or changed resource. If somebody else has changed the resource since it was read, `dialog` shows both
 * versions side by side.
 */
export function useSave<Body extends Fields>({
  fields,
  read,
  put,
  exists = String,
  label,
  show,
  onSaved,
  check,
}: {
  /** The names of the fields that can have a fault. */
  readonly fields: readonly string[];
  /** Reads the stored resource. */
  readonly read: (name: string) => Promise<Version<Body>>;
  /** Sends the request with the given headers. */
  readonly put: (name: string, body: Body, header: Record<string, string>) => Promise<unknown>;
  /** The fault if a resource with the name of a new resource exists. */
  readonly exists?: (name: string) => string;
  readonly label: (field: string) => string;
  /** Writes a value of a field, which may be null, as text. */
  readonly show?: (value: unknown, field: string) => string;
  readonly onSaved: (name: string, body: Body) => void;
  /** Called with the choice in the dialog before it is saved. @returns whether to save now */
  readonly check?: (body: Body, base: Version<Body>) => Promise<boolean>;
}) {
  const { run, isBusy, fault, faults } = useAction(fields);
  const [conflict, setConflict] = useState<Conflict<Body>>();
  const dismiss = () => setConflict(undefined);
  /** @param base the version that is replaced; undefined for a new resource */
  const save = async (name: string, mine: Body, base: Version<Body> | undefined): Promise<void> => {
    try {
      await put(name, mine, preconditionOf(base?.etag));
      dismiss();
      onSaved(name, mine);
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (base === undefined) throw new InputFault(exists(name));
      const theirs = await read(name);
      const differences = differencesOf(base.body, theirs.body, mine);
      // Without a difference, only something that the form does not replace has changed.
      if (differences.length === 0) await save(name, mine, theirs);
      else setConflict({ name, mine, theirs, differences });
    }
  };
  const choose = async (name: string, body: Body, base: Version<Body>) => {
    if (check === undefined || (await check(body, base))) await save(name, body, base);
    else dismiss();
  };
  const dialog = conflict !== undefined && (
    <ConflictDialog
      conflict={conflict}
      label={label}
      {...(show && { show })}
      fault={fault}
      isBusy={isBusy}
      onSave={(body, base) => void run(() => choose(conflict.name, body, base))}
      onCancel={dismiss}
    />
  );
  return { run, save, isBusy, fault, faults, dialog };
}

/** The state of a panel that shows a list, or the form of a new or an existing resource. */
export function useEditor<T>(
  read: (name: string) => Promise<Response>,
  toItem: (json: never) => T,
  reload: () => Promise<void>,
) {
  const [edited, setEdited] = useState<(Version<T> & { readonly name: string }) | 'new'>();
  const { run, fault } = useAction();
  const close = () => setEdited(undefined);
  return {
    /** The properties of the form; undefined while the list is shown. */
    form: edited && {
      name: edited === 'new' ? '' : edited.name,
      existing: edited === 'new' ? undefined : edited,
      onCancel: close,
      onSaved: () => {
        close();
        void reload();
      },
    },
    add: () => setEdited('new'),
    /** Reads a resource and opens its form. */
    change: (name: string) =>
      void run(async () => {
        setEdited({ name, ...(await versionOf(await read(name), toItem)) });
      }),
    fault,
  };
}

/** The button that opens the form of a resource. */
export function ChangeButton({ name, change }: { readonly name: string; readonly change: () => void }) {
  const { change: text } = useAdminText();
  return (
    <button type="button" onClick={change} aria-label={`${text}: ${name}`}>
      {text}
    </button>
  );
}

/** Shows the stored value and the own value of each field in conflict, and saves what the user has chosen. */
function ConflictDialog<Body extends Fields>({
  conflict: { mine, theirs, differences },
  label,
  show = String,
  fault,
  isBusy,
  onSave,
  onCancel,
}: {
  readonly conflict: Conflict<Body>;
  readonly label: (field: string) => string;
  /** Writes a value of a field, which may be null, as text. */
  readonly show?: (value: unknown, field: string) => string;
  readonly fault: string;
  readonly isBusy: boolean;
  readonly onSave: (body: Body, base: Version<Body>) => void;
  readonly onCancel: () => void;
}) {
  const { conflict: text } = useAdminText();
  const submit = (event: SubmitEvent) =>
    onSave(chosenFields(mine, theirs.body, formValues(event) as Readonly<Record<string, Choice>>), theirs);
  const shown = (value: unknown, field: string) => (value === undefined ? '–' : show(value, field) || '–');
  return (
    <Dialog title={text.title} onClose={onCancel}>
      <p>{text.reason}</p>
      <form method="post" onSubmit={submit}>
        {differences.map((difference) => (
          <fieldset key={difference.field} class="conflict">
            <legend>{label(difference.field)}</legend>
            {(['theirs', 'mine'] as const).map((choice) => (
              <label key={choice}>
                <span class="tick">
                  <input
                    type="radio"
                    name={difference.field}
                    value={choice}
                    defaultChecked={difference.proposed === choice}
                  />{' '}
                  {text[choice]}
                </span>
                <span class="value">{shown(difference[choice], difference.field)}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      </form>
    </Dialog>
  );
}
