import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { Station } from '../api.js';
import { loadPart } from '../parts/load-part.js';
import { useSite } from '../site-context.js';
import type { SharePanelProps } from './share-panel.js';

/** The button that opens the ways to share a station. Their code is loaded with the first click. */
export function ShareMenu({ station }: { readonly station: Station }) {
  const { text } = useSite();
  const [Panel, setPanel] = useState<ComponentType<SharePanelProps>>();
  const [isOpen, setOpen] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const open = (): void => {
    setOpen(true);
    if (Panel !== undefined) return;
    setFailed(false);
    loadPart(() => import('./share-panel.js')).then(
      ({ SharePanel }) => setPanel(() => SharePanel),
      () => setFailed(true),
    );
  };
  return (
    <span class="share needs-script">
      <button type="button" aria-haspopup="dialog" aria-label={text.share.title} onClick={open}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M8 10V2M5 5L8 2L11 5M3 8V14H13V8" />
        </svg>{' '}
        <span>{text.share.title}</span>
      </button>
      {hasFailed && <span role="alert">{text.errors.part}</span>}
      {isOpen && Panel !== undefined && <Panel station={station} onClose={() => setOpen(false)} />}
    </span>
  );
}
