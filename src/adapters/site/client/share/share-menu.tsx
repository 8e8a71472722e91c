import { useState } from 'preact/hooks';
import type { Station } from '../api.js';
import { usePart } from '../parts/use-part.js';
import { useSite } from '../site-context.js';

/** The button that opens the ways to share a station. Their code is loaded with the first click. */
export function ShareMenu({ station }: { readonly station: Station }) {
  const { text } = useSite();
  const { module, fault, begin } = usePart(() => import('./share-panel.js'));
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
    if (module === undefined) begin();
  };
  return (
    <span class="share needs-script">
      <button type="button" aria-haspopup="dialog" aria-label={text.share.title} onClick={open}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M8 10V2M5 5L8 2L11 5M3 8V14H13V8" />
        </svg>{' '}
        <span>{text.share.title}</span>
      </button>
      {fault !== undefined && <span role="alert">{text.errors.part}</span>}
      {isOpen && module !== undefined && (
        <module.SharePanel station={station} onClose={() => setOpen(false)} />
      )}
    </span>
  );
}
