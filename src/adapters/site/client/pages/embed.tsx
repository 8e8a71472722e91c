import type { PageDefinition } from '../page.js';
import { StationCard } from '../ribbon/station-card.js';
import { useSite } from '../site-context.js';
import { stationNow, type StationNow } from './station-now.js';

// The administration shows the card too, and loads it with the first picture of a station.
export { StationCard } from '../ribbon/station-card.js';
export { ShareMenu } from '../share/share-menu.js';

/**
 * A card for a frame of another site: the sentence about the weather, the last 24 hours, and the forecast. In a low frame, the style sheet leaves
 * out the picture. The query of the card sets language, units and colors.
 */
export const embed: PageDefinition<StationNow> = {
  ...stationNow,
  View: ({ data }) => {
    const { text } = useSite();
    const href = `/stations/${encodeURIComponent(data.station.id)}`;
    return (
      <StationCard {...data} heading="h1">
        <a href={href} target="_blank" rel="noopener">
          {text.embed.more}
        </a>
      </StationCard>
    );
  },
};
