import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Station } from '../api.js';
import { browserClient } from '../browser-client.js';
import { UNIT_CHOICES } from '../format/units.js';
import { Dialog } from '../parts/dialog.js';
import { SavedLink } from '../parts/file-link.js';
import { Choice } from '../parts/settings.js';
import { usePart } from '../parts/use-part.js';
import { THEMES } from '../preferences.js';
import { bearerToken } from '../session.js';
import { useSite } from '../site-context.js';
import { languageName, LANGUAGES } from '../text/languages.js';
import { CopyField } from './copy-field.js';
import { EMBED_SIZES, type EmbedChoice, embedCode, embedPath } from './embed-code.js';

interface SharePanelProps {
  readonly station: Station;
  readonly onClose: () => void;
}

/** The ways to share a station: its address, as text and as a QR code, its picture, the kiosk, and a card for other sites. */
export function SharePanel({ station, onClose }: SharePanelProps) {
  const { text, preferences, publicReads } = useSite();
  const isPublic = useIsPublic(station.id, publicReads);
  const share = text.sharePanel;
  const path = encodeURIComponent(station.id);
  const address = `${location.origin}/stations/${path}`;
  const query = new URLSearchParams({ lang: preferences.language, units: preferences.units });
  const picture = `/stations/${path}/card.png?${query}`;
  return (
    <Dialog title={share.titleOf(station.name)} name="share-panel" onClose={onClose}>
      <CopyField label={share.link} value={address} />
      <QrCode text={address} />
      <ul class="share-links">
        <li>
          <SavedLink href={picture} name={`${station.id}.png`} request={() => readAsUser(picture)}>
            {share.picture}
          </SavedLink>{' '}
          <span class="quiet">{share.pictureNote}</span>
        </li>
        {isPublic === true && (
          <li>
            <a href={`/kiosk/${path}?${query}&theme=sun`} target="_blank" rel="noopener">
              {share.kiosk}
            </a>{' '}
            <span class="quiet">{share.kioskNote}</span>
          </li>
        )}
      </ul>
      {isPublic === true && <EmbedBuilder id={station.id} title={share.frameTitle(station.name)} />}
      {isPublic === false && <p class="quiet">{share.notPublic}</p>}
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {share.close}
        </button>
      </div>
    </Dialog>
  );
}

/** Whether visitors who are not signed in can see a station; undefined until the service has answered. */
function useIsPublic(id: string, publicReads: boolean): boolean | undefined {
  const isKnown = !publicReads || bearerToken() === undefined;
  const [isPublic, setPublic] = useState(isKnown ? publicReads : undefined);
  useEffect(() => {
    if (isKnown) return;
    const reading = browserClient(undefined).get('/v1/stations/{id}', { path: { id } });
    void reading.then(
      () => setPublic(true),
      () => setPublic(false),
    );
  }, []);
  return isPublic;
}

/** Requests a file of the site with the token of the user. */
async function readAsUser(address: string): Promise<Response> {
  const reply = await fetch(address, { headers: { authorization: `Bearer ${bearerToken()}` } });
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return reply;
}

/** Builds the HTML for a card of the station on another site, and shows the card. */
function EmbedBuilder({ id, title }: { readonly id: string; readonly title: string }) {
  const { text, preferences } = useSite();
  const { site, sharePanel: share } = text;
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
  const { errors, sharePanel: share } = useSite().text;
  const { module, fault, begin } = usePart(() => import('./qr.js'));
  const picture = useMemo(() => module?.qrPicture(text), [module, text]);
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && module === undefined && begin()}>
      <summary>{share.qr}</summary>
      {fault !== undefined && <p role="alert">{errors.part}</p>}
      {picture !== undefined && (
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
