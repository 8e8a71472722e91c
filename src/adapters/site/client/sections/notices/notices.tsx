import { useState } from 'preact/hooks';
import { RECENT_NOTICE } from '#domain/weather/quality/notices/notice.js';
import { instantText } from '../../charts/model/span.js';
import { useNow } from '../../live/clock.js';
import { useSignal } from '../../live/use-signal.js';
import { session } from '../../session.js';
import { Loaded, type SectionProps } from '../section.js';
import { useRead } from '../use-read.js';
import type { Notice } from './finding.js';
import { NoticeSentence } from './notice-sentence.js';
import { useNoticesText } from './text.js';

/** Number of notices that are shown first. */
const SHOWN = 5;
/** The description of the route in the page about the API. */
const ABOUT = '/docs#get-v1-stations-id-notices';

/** The notices of a station that have not ended, or have ended in the last days; the newest first. */
export function Notices({ station }: SectionProps) {
  const text = useNoticesText();
  const now = useNow();
  const [from] = useState(() => instantText(now - RECENT_NOTICE));
  const reading = useRead('/v1/stations/{id}/notices', { path: { id: station.id }, query: { from } });
  const isAdministrator = useSignal(session)?.administrator === true;
  return (
    <>
      <p>
        {text.meaning}{' '}
        <a href={ABOUT} hreflang="en">
          {text.about}
        </a>
      </p>
      <Loaded reading={reading}>
        {({ notices }) => <List notices={notices} zone={station.time_zone} />}
      </Loaded>
      {isAdministrator && (
        <p>
          <a href={`/admin#quality/${encodeURIComponent(station.id)}`}>{text.mark}</a>
        </p>
      )}
    </>
  );
}

function List({ notices, zone }: { readonly notices: readonly Notice[]; readonly zone: string }) {
  const text = useNoticesText();
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <ul class="notices">
        {notices.slice(0, shown).map((notice) => (
          <li key={JSON.stringify(notice)}>
            <NoticeSentence notice={notice} zone={zone} />
          </li>
        ))}
      </ul>
      {notices.length > shown && (
        <button type="button" onClick={() => setShown(notices.length)}>
          {text.showAll(notices.length)}
        </button>
      )}
    </>
  );
}
