import { useEffect, useState } from 'preact/hooks';
import type { StationNow } from '../../pages/station-now.js';
import { usePart } from '../../parts/use-part.js';
import { useSite } from '../../site-context.js';
import type { ListedStation } from '../station-select.js';
import { useAdminText } from '../text.js';

/** What visitors see of a station after its first upload, with the ways to its page. The code of the picture is loaded with it. */
export function FirstPicture({ station: { id, name } }: { readonly station: ListedStation }) {
  const { api } = useSite();
  const { light: text } = useAdminText().connect;
  const { module, begin } = usePart(() => import('../../pages/embed.js'));
  const [data, setData] = useState<StationNow>();
  useEffect(begin, []);
  useEffect(() => {
    const reading = module?.embed.load(api, { params: { id }, query: new URLSearchParams() });
    // Without the picture, the light still names what arrived.
    reading?.then(setData, () => undefined);
  }, [module]);
  return (
    <section class="first-picture">
      {module !== undefined && data !== undefined && (
        <>
          <p class="quiet">{text.visitors}</p>
          <module.StationCard {...data} />
        </>
      )}
      <div class="buttons">
        <a class="button main" href={`/stations/${encodeURIComponent(id)}`}>
          {text.open(name)}
        </a>
        {module !== undefined && data !== undefined && <module.ShareMenu station={data.station} />}
      </div>
    </section>
  );
}
