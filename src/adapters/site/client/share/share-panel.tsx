import { useEffect, useState } from 'preact/hooks';
import type { Station } from '../api.js';
import { UNIT_CHOICES } from '../format/units.js';
import { Dialog } from '../parts/dialog.js';
import { Choice } from '../parts/settings.js';
import { THEMES } from '../preferences.js';
import { useSite } from '../site-context.js';
import { languageName, LANGUAGES } from '../text/languages.js';
import { CopyField } from './copy-field.js';
import { EMBED_SIZES, type EmbedChoice, embedCode, embedPath } from './embed-code.js';
import type { QrPicture } from './qr.js';

export interface SharePanelProps {
  readonly station: Station;
  readonly onClose: () => void;
}

/** The ways to share a station: its address, as text and as a QR code, its picture, the kiosk, and a card for other sites. */
export function SharePanel({ station, onClose }: SharePanelProps) {
  const { preferences } = useSite();
  const share = useSite().text.sharePanel;
  const path = encodeURIComponent(station.id);
  const address = `${location.origin}/stations/${path}`;
  const query = new URLSearchParams({ lang: preferences.language, units: preferences.units });
  return (
    <Dialog title={share.titleOf(station.name)} name="share-panel" onClose={onClose}>
      <CopyField label={share.link} value={address} />
      <QrCode text={address} />
      <ul class="share-links">
        <li>
          <a href={`/stations/${path}/card.png?${query}`} download={`${station.id}.png`}>
            {share.picture}
          </a>{' '}
          <span class="quiet">{share.pictureNote}</span>
        </li>
        <li>
          <a href={`/kiosk/${path}?${query}&theme=sun`} target="_blank" rel="noopener">
            {share.kiosk}
          </a>{' '}
          <span class="quiet">{share.kioskNote}</span>
        </li>
      </ul>
      <EmbedBuilder id={station.id} title={share.frameTitle(station.name)} />
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {share.close}
        </button>
      </div>
    </Dialog>
  );
}

/** Builds the HTML for a card of the station on another site, and shows the card. */
function EmbedBuilder({ id, title }: { readonly id: string; readonly title: string }) {
  const { text, preferences } = useSite();
  const share = useSite().text.sharePanel;
  const { site } = text;
  const { language, units, theme } = preferences;
  const [choice, setChoice] = useState<EmbedChoice>({ size: 'medium', language, units, theme });
  const [width, height] = EMBED_SIZES[choice.size];
  const onChange = ({ currentTarget }: { readonly currentTarget: HTMLFormElement }): void => {
    const form = new FormData(currentTarget);
    setChoice({
      size: form.get('size') as EmbedChoice['size'],
      language: form.get('lang') as string,
      units: form.get('units') as string,
      theme: form.get('theme') as string,
    });
  };
  return (
    <section aria-labelledby="embed-title" class="embed-builder">
      <h3 id="embed-title">{share.embed}</h3>
      <form onChange={onChange} onSubmit={(event) => event.preventDefault()}>
        <Choice name="size" label={share.size} chosen={choice.size}>
          {Object.entries(EMBED_SIZES).map(([name, [w, h]]) => [name, `${w} × ${h}`])}
        </Choice>
        <Choice name="theme" label={site.theme} chosen={choice.theme}>
          {THEMES.map((name) => [name, site.themes[name]])}
        </Choice>
        <Choice name="lang" label={site.language} chosen={choice.language}>
          {LANGUAGES.map((name) => [name, languageName(name)])}
        </Choice>
        <Choice name="units" label={site.units} chosen={choice.units}>
          {UNIT_CHOICES.map((name) => [name, site.unitChoices[name]])}
        </Choice>
      </form>
      <iframe src={embedPath(id, choice)} title={share.preview} width={width} height={height} />
      <CopyField label={share.code} value={embedCode(location.origin, id, title, choice)} rows={4} />
    </section>
  );
}

/** The QR code of a text. The library is loaded when the visitor opens the code. */
function QrCode({ text }: { readonly text: string }) {
  const share = useSite().text.sharePanel;
  const { errors } = useSite().text;
  const [isOpen, setOpen] = useState(false);
  const [picture, setPicture] = useState<QrPicture | 'failed'>();
  useEffect(() => {
    if (!isOpen) return;
    import('./qr.js').then(
      ({ qrPicture }) => setPicture(qrPicture(text)),
      () => setPicture('failed'),
    );
  }, [isOpen, text]);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{share.qr}</summary>
      {picture === 'failed' && <p role="alert">{errors.part}</p>}
      {typeof picture === 'object' && (
        <svg
          class="qr"
          viewBox={`0 0 ${picture.size} ${picture.size}`}
          role="img"
          aria-label={share.qrOf(text)}
        >
          <path d={picture.path} />
        </svg>
      )}
    </details>
  );
}
