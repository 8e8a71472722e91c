import { useState } from 'preact/hooks';
import { WeatherdError } from '../api.js';
import { Dialog } from '../parts/dialog.js';
import { chosenFields, type Choice, type Difference, differencesOf, type Fields } from './conflict-model.js';
import { FormEnd, formValues } from './form.js';
import { useAdminText } from './text.js';

/** A stored resource as the fields of the request that replaces it, with its ETag. */
export interface Version<Body extends Fields> {
  readonly body: Body;
  readonly etag: string | null;
}

/** Reads the fields and the ETag of a resource from a reply. @param toBody converts the JSON of the reply */
export async function versionOf<Body extends Fields>(
  response: Response,
  toBody: (json: never) => Body,
): Promise<Version<Body>> {
  return { body: toBody((await response.json()) as never), etag: response.headers.get('etag') };
}

/** The precondition that a resource has not changed since it was read, or does not exist if it is new. */
export function preconditionOf(etag: string | null | undefined): Record<string, string> {
  if (etag === undefined) return { 'If-None-Match': '*' };
  // A proxy that compresses replies makes ETags weak, but If-Match needs strong ETags (RFC 9110, section 13.1.1). So the mark
  // `W/` of a weak ETag is removed.
  return etag === null ? {} : { 'If-Match': etag.replace(/^W\//, '') };
}

/** Whether a request was refused because the resource was created or changed meanwhile. */
export function isConflict(error: unknown): boolean {
  return error instanceof WeatherdError && error.code === 'PRECONDITION_FAILED';
}

export interface Conflict<Body extends Fields> {
  readonly mine: Body;
  readonly theirs: Version<Body>;
  readonly differences: readonly Difference[];
}

/**
 * Saves a form. If somebody else has changed the resource since it was read, the form gets a conflict, which `ConflictDialog`
 * shows.
 *
 * @param read reads the stored resource
 * @param put sends the request with the given headers
 */
export function useConflict<Body extends Fields>(
  read: () => Promise<Version<Body>>,
  put: (body: Body, header: Record<string, string>) => Promise<unknown>,
) {
  const [conflict, setConflict] = useState<Conflict<Body>>();
  /** @returns whether the form was saved */
  const save = async (mine: Body, base: Version<Body>): Promise<boolean> => {
    try {
      await put(mine, preconditionOf(base.etag));
      setConflict(undefined);
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const theirs = await read();
    const differences = differencesOf(base.body, theirs.body, mine);
    // Without a difference, only something that the form does not replace has changed.
    if (differences.length === 0) return await save(mine, theirs);
    setConflict({ mine, theirs, differences });
    return false;
  };
  return { save, conflict, dismiss: () => setConflict(undefined) };
}

/** Shows the stored value and the own value of each field in conflict, and saves what the user has chosen. */
export function ConflictDialog<Body extends Fields>({
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
  /** Writes a value of a field as text. */
  readonly show?: (value: unknown, field: string) => string;
  readonly fault: string;
  readonly isBusy: boolean;
  readonly onSave: (body: Body, base: Version<Body>) => void;
  readonly onCancel: () => void;
}) {
  const { conflict: text } = useAdminText();
  const submit = (event: SubmitEvent) =>
    onSave(chosenFields(mine, theirs.body, formValues(event) as Readonly<Record<string, Choice>>), theirs);
  const shown = (value: unknown, field: string) =>
    value === null || value === undefined ? '–' : show(value, field) || '–';
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
