import { Table, useList } from './form.js';
import { Time } from './time.js';
import { useAdminText } from './text.js';

/** The latest results of the background checks. */
export function HealthPanel() {
  const text = useAdminText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/health/checks'));
  const { columns, states, checks } = text.health;
  return (
    <>
      <button type="button" onClick={() => void reload()}>
        {text.reload}
      </button>
      {fault}
      <Table label={text.sections.health} heads={columns} rows={reply?.checks}>
        {({ name, state, since, detail }) => (
          <tr key={name}>
            <th scope="row">{checks[name] ?? name}</th>
            <td class={`state ${state}`}>{states[state]}</td>
            <td>
              <Time at={since} />
            </td>
            <td>{detail}</td>
          </tr>
        )}
      </Table>
    </>
  );
}
