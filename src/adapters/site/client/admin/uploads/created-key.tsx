import { useEffect, useRef } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { useAdminText } from '../text.js';

/**
 * A new upload key with its secret, as the API returns it. It also has the settings that the user must enter in a weather console
 * or in software. There is one set of settings for each kind of console or software.
 */
export type CreatedKey = Pick<
  Reply<'/v1/upload-keys', 'post'>,
  'upload_key' | 'key' | 'endpoints' | 'warnings'
>;

/** Fields of the settings of a console, in the order in which consoles show them. */
const FORM = ['protocol', 'server', 'path', 'port', 'id', 'password', 'interval'] as const;

/** Shows a new secret once, with the settings to enter in each kind of console or software. */
export function CreatedKeyPanel({
  created,
  onClose,
}: {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}) {
  const text = useAdminText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [created.key]);
  return (
    <section class="editor" aria-labelledby="made-key">
      <h3 id="made-key" tabIndex={-1} ref={heading}>
        {text.keys.made(created.upload_key.number)}
      </h3>
      <p>
        <code class="secret">{created.key}</code>
      </p>
      <p>{text.keys.once}</p>
      {created.warnings.map((warning) => (
        <p class="fault" key={warning}>
          {warning}
        </p>
      ))}
      {created.endpoints.map((endpoint) => (
        <details key={endpoint.make}>
          <summary>{endpoint.make}</summary>
          <p>{endpoint.where}</p>
          {endpoint.missing !== undefined && <p class="fault">{endpoint.missing}</p>}
          <dl>
            {FORM.filter((name) => endpoint[name] !== undefined).map((name) => (
              <div key={name}>
                <dt>{text.keys.form[name]}</dt>
                <dd>
                  <code>{endpoint[name]}</code>
                </dd>
              </div>
            ))}
          </dl>
          {endpoint.text !== undefined && (
            <pre>
              <code>{endpoint.text}</code>
            </pre>
          )}
          {endpoint.note !== undefined && <p>{endpoint.note}</p>}
        </details>
      ))}
      <button type="button" onClick={onClose}>
        {text.close}
      </button>
    </section>
  );
}
