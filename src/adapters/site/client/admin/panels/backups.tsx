import { useNumbers } from '../../site-context.js';
import { useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { usePanelsText } from './text.js';

/** The state of the backups that the service makes by schedule. */
export function Backups() {
  const admin = useAdminText();
  const { backups: text } = usePanelsText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/backups'));
  const number = useNumbers();
  return (
    <>
      <button type="button" onClick={() => void reload()}>
        {admin.reload}
      </button>
      {fault}
      {reply?.schedule === null && <p>{text.off}</p>}
      {reply !== undefined && reply.schedule !== null && (
        <>
          {reply.fault !== null && <p class="fault">{reply.fault}</p>}
          <dl>
            <div>
              <dt>{text.last}</dt>
              <dd>{reply.last === null ? text.never : <Time at={reply.last} />}</dd>
            </div>
            <div>
              <dt>{text.next}</dt>
              <dd>
                <Time at={reply.next} />
              </dd>
            </div>
            <div>
              <dt>{text.count}</dt>
              <dd>{text.countOf(number(reply.count, 0), number(reply.schedule.keep, 0))}</dd>
            </div>
            <div>
              <dt>{text.every}</dt>
              <dd>
                {text.hours(number(reply.schedule.every / 3600, reply.schedule.every % 3600 === 0 ? 0 : 1))}
              </dd>
            </div>
          </dl>
        </>
      )}
      <p class="quiet">{text.restore}</p>
    </>
  );
}
