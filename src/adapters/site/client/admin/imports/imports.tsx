import { useEffect, useState } from 'preact/hooks';
import { useNumbers } from '../../site-context.js';
import { adminRequest, userRequest } from '../admin-request.js';
import { ConfirmedButton } from '../dialog.js';
import { Table, useList } from '../form.js';
import { Time } from '../time.js';
import { isChecking, isOpen, type ListedImport } from './import-model.js';
import { ImportView } from './import-view.js';
import { stateText } from './sentence.js';
import { SendForm } from './send-form.js';
import { useImportsText } from './text.js';

/** Time in ms between two requests for the list while quality control checks the rows of an import. */
const POLLING = 5000;

/** Imports a file in steps, and lists earlier imports with their undo. */
export function Imports() {
  const text = useImportsText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/imports'), undefined, userRequest);
  const [shown, setShown] = useState<string>();
  const open = reply?.imports.find(({ state }) => isOpen(state))?.import;
  // After a reload of the page, the import that is still open is shown again.
  useEffect(() => {
    if (open !== undefined) setShown((before) => before ?? open);
  }, [open]);
  useEffect(() => {
    if (reply?.imports.some(isChecking) !== true) return undefined;
    const timer = setTimeout(() => void reload(), POLLING);
    return () => clearTimeout(timer);
  }, [reply]);
  const close = () => {
    setShown(undefined);
    void reload();
  };
  return (
    <>
      <p>{text.lead}</p>
      {fault}
      {shown === undefined ? (
        reply !== undefined &&
        open === undefined && (
          <SendForm
            onSent={(id) => {
              setShown(id);
              void reload();
            }}
          />
        )
      ) : (
        <ImportView
          key={shown}
          id={shown}
          formats={reply?.formats ?? []}
          onChange={() => void reload()}
          onClose={close}
        />
      )}
      <h3>{text.list}</h3>
      <Table label={text.list} heads={text.columns} rows={reply?.imports} none={text.none}>
        {(listed) => <Row key={listed.import} listed={listed} onShow={setShown} />}
      </Table>
    </>
  );
}

function Row({ listed, onShow }: { readonly listed: ListedImport; readonly onShow: (id: string) => void }) {
  const write = useNumbers();
  const text = useImportsText();
  const { import: id, number, file, stations, started_at: started, rows, state, can_undo: canUndo } = listed;
  const undo = async () => {
    await adminRequest((api) => api.post('/v1/imports/{id}/undo', { path: { id } }));
    onShow(id);
  };
  return (
    <tr>
      <th scope="row">{number ?? '–'}</th>
      <td>{file}</td>
      <td>{stations.slice(0, 3).join(', ') + (stations.length > 3 ? ' …' : '')}</td>
      <td>
        <Time at={started} />
      </td>
      <td>{write(rows, 0)}</td>
      <td>{stateText(listed, text)}</td>
      <td class="buttons">
        <button type="button" onClick={() => onShow(id)}>
          {text.show}
        </button>
        {canUndo && state !== 'writing' && (
          <ConfirmedButton label={text.undo} question={text.undoQuestion} act={undo} />
        )}
      </td>
    </tr>
  );
}
