import { useEffect, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { Reply } from '../api.js';
import { useSite } from '../site-context.js';
import { announceChange } from './changes.js';

export type QualityState = Reply<'/v1/stations/{id}/observations/latest', 'get'>['quality_control'];

/** Time in ms between two readings while quality control checks values. */
const POLLING = 10 * MILLISECONDS.second;

/**
 * The work of quality control at a station. It is read again while values are being checked. At the end, the parts of the page that
 * read observations are told that any value may have changed.
 *
 * @param first the state that was read with the newest values
 */
export function useQualityState(station: string, first: QualityState): NonNullable<QualityState> {
  const { api } = useSite();
  const [state = { notices: 0, gaps: 0, checked: 1 }, setState] = useState(first);
  const isChecking = state.checked < 1;
  useEffect(() => setState(first), [first]);
  useEffect(() => {
    if (!isChecking) return undefined;
    const options = { path: { id: station }, query: { include: 'quality_control' } };
    const timer = setInterval(() => {
      if (document.hidden) return;
      api.get('/v1/stations/{id}/observations/latest', options).then(
        (reply) => setState(reply.quality_control),
        // The next reading tries again.
        () => undefined,
      );
    }, POLLING);
    return () => {
      clearInterval(timer);
      announceChange({});
    };
  }, [station, isChecking]);
  return state;
}
