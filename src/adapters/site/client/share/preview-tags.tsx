import type { Preview } from '../page.js';
import type { Text } from '../text/en.js';
import { CARD_SIZE } from '../card/card.js';

/** The tags in the head of a page for search engines, and for previews in chats and social networks (Open Graph). */
export function PreviewTags({
  title,
  preview: { path, description, image },
  origin,
  icon,
  isIndexed,
  text,
}: {
  readonly title: string;
  readonly preview: Preview;
  /** Undefined if it is unknown. Addresses are then relative, which previews ignore. */
  readonly origin: string | undefined;
  /** Path of the picture of a page without its own picture. */
  readonly icon: string;
  /** Whether search engines list the page. */
  readonly isIndexed: boolean;
  readonly text: Text;
}) {
  const absolute = (part: string) => `${origin ?? ''}${part}`;
  const address = absolute(path);
  return (
    <>
      <meta name="description" content={description} />
      {isIndexed ? <link rel="canonical" href={address} /> : <meta name="robots" content="noindex" />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={text.site.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={absolute(image?.path ?? icon)} />
      <meta property="og:image:alt" content={image?.alt ?? text.site.name} />
      {image !== undefined && (
        <>
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(CARD_SIZE.width)} />
          <meta property="og:image:height" content={String(CARD_SIZE.height)} />
        </>
      )}
      <meta name="twitter:card" content={image === undefined ? 'summary' : 'summary_large_image'} />
    </>
  );
}
