import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { RECENT_NOTICE } from '#domain/weather/quality/notices/notice.js';
import { instantText } from '../../charts/model/span.js';
import { useNow } from '../../live/clock.js';
import { useSignal } from '../../live/use-signal.js';
import { session } from '../../session.js';
import { Loaded, type SectionProps } from '../section.js';
import { useRead } from '../use-read.js';
import { NoticeSentence, When } from './notice-sentence.js';
import { useNoticesText } from './text.js';

/** Number of gaps, and of notices, that are shown first. */
const SHOWN = 5;
/** The description of the route in the page about the API. */
const ABOUT = '/docs#get-v1-stations-id-notices';

/** The gaps that ended in the last days, and the notices that have not ended or ended in the last days; the newest first. */
export function Notices({ station }: SectionProps) {
  const text = useNoticesText();
  const now = useNow();
  const [from] = useState(() => instantText(now - RECENT_NOTICE));
  const reading = useRead('/v1/stations/{id}/notices', { path: { id: station.id }, query: { from } });
  const isAdministrator = useSignal(session)?.administrator === true;
  const { time_zone: zone } = station;
  return (
    <Loaded reading={reading}>
      {({ gaps, notices }) => (
        <>
          <List>
            {gaps.map((gap) => (
              <li key={gap.from}>
                <strong>{text.missing}</strong> <When begin={gap.from} end={gap.to} zone={zone} />.
              </li>
            ))}
          </List>
          {notices.length > 0 && (
            <>
              <p>
                {text.meaning}{' '}
                <a href={ABOUT} hreflang="en">
                  {text.about}
                </a>
              </p>
              <List>
                {notices.map((notice) => (
                  <li key={JSON.stringify(notice)}>
                    <NoticeSentence notice={notice} zone={zone} />
                  </li>
                ))}
              </List>
              {isAdministrator && (
                <p>
                  <a href={`/admin#quality/${encodeURIComponent(station.id)}`}>{text.mark}</a>
                </p>
              )}
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

function List({ children }: { readonly children: readonly ComponentChildren[] }) {
  const text = useNoticesText();
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      {children.length > 0 && <ul class="notices">{children.slice(0, shown)}</ul>}
      {children.length > shown && (
        <button type="button" onClick={() => setShown(children.length)}>
          {text.showAll(children.length)}
        </button>
      )}
    </>
  );
}
