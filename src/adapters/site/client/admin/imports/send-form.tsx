import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { adminRequest, userRequest } from '../admin-request.js';
import { FormFault, FormField, formValues, InputFault, useAction, useList } from '../form.js';
import { sendFile } from './send-file.js';
import { useImportsText } from './text.js';

/** Chooses a station and a file, and sends the file. @param onSent called with the id of the import */
export function SendForm({ onSent }: { readonly onSent: (id: string) => void }) {
  const text = useImportsText();
  const { reply, fault: listFault } = useList(
    (api) => api.get('/v1/stations', { query: { limit: 1000 } }),
    undefined,
    userRequest,
  );
  const { run, isBusy, fault, faults } = useAction(['station']);
  const [file, setFile] = useState<File>();
  const [percent, setPercent] = useState<number>();
  const [isOver, setOver] = useState(false);
  const sending = useRef<AbortController>(undefined);
  const [fileId, hintId, listId] = [useId(), useId(), useId()];
  useEffect(() => () => sending.current?.abort(), []);
  const send = (event: SubmitEvent) => {
    const { station = '' } = formValues(event);
    void run(async () => {
      if (file === undefined) throw new InputFault(text.noFile);
      const stop = new AbortController();
      sending.current = stop;
      try {
        const id = await adminRequest((api) =>
          sendFile(
            file,
            station,
            typeof api.token === 'string' ? api.token : '',
            (bytes) => setPercent(Math.floor((100 * bytes) / Math.max(1, file.size))),
            stop.signal,
          ),
        );
        onSent(id);
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      } finally {
        setPercent(undefined);
      }
    });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped !== undefined) setFile(dropped);
  };
  // The form is shown with its suggestions, because a field that appears later would lose what was typed.
  if (reply === undefined) return <>{listFault}</>;
  return (
    <form method="post" class="editor" onSubmit={send}>
      <FormField
        name="station"
        label={text.station}
        fault={faults['station']}
        list={listId}
        autocapitalize="none"
        defaultValue={reply.stations.length === 1 ? (reply.stations[0]?.id ?? '') : ''}
        required
      />
      <datalist id={listId}>
        {reply.stations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <div
        class={isOver ? 'field drop over' : 'field drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label for={fileId}>{text.file}</label>
        <input
          id={fileId}
          type="file"
          aria-describedby={hintId}
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
        <p id={hintId} class="quiet">
          {file === undefined ? text.fileHint : file.name}
        </p>
      </div>
      <FormFault>{fault}</FormFault>
      {percent === undefined ? (
        <button type="submit" class="main" disabled={isBusy}>
          {text.send}
        </button>
      ) : (
        <>
          <p role="status">{text.sending(percent)}</p>
          <progress max={100} value={percent} aria-label={text.send} />
          <button type="button" onClick={() => sending.current?.abort()}>
            {text.stop}
          </button>
        </>
      )}
    </form>
  );
}
