import { useRef, useState } from 'preact/hooks';
import { useSite } from '../site-context.js';

/** A text with a button that copies it. */
export function CopyField({
  label,
  value,
  rows,
}: {
  readonly label: string;
  readonly value: string;
  /** Number of lines, for a text of several lines. */
  readonly rows?: number;
}) {
  const { copy, copied, copyYourself } = useSite().text.sharePanel;
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [result, setResult] = useState('');
  const onClick = (): void => {
    field.current?.select();
    // Browsers have no clipboard at an origin that they do not trust. The text is selected then, ready to be copied.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const written = clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setResult(copied),
      () => setResult(copyYourself),
    );
  };
  const common = { ref: field, readOnly: true, value, onFocus: () => field.current?.select() };
  return (
    <div class="copy-field">
      <label>
        <span>{label}</span>
        {rows === undefined ? <input type="text" {...common} /> : <textarea rows={rows} {...common} />}
      </label>
      <button type="button" onClick={onClick} aria-label={`${copy}: ${label}`}>
        {copy}
      </button>
      <span class="quiet" role="status">
        {result}
      </span>
    </div>
  );
}
