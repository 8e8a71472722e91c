import type { ComponentChildren } from 'preact';
import { PALETTE } from './ribbon/paint.js';
import type { Preferences } from './preferences.js';

/** The HTML document of a page. The document has no inline script: its data are a JSON element, which browsers do not execute. */
export function Document({
  title,
  preview,
  manifest,
  preferences,
  files,
  state,
  children,
}: {
  readonly title: string;
  /** Tags for search engines and for previews of links. */
  readonly preview: ComponentChildren;
  /** Path of the manifest with which browsers install the page as an app. */
  readonly manifest: string;
  readonly preferences: Preferences;
  readonly files: Readonly<Record<string, string>>;
  /** JSON of `FirstState`. */
  readonly state: string;
  readonly children: ComponentChildren;
}) {
  return (
    <html lang={preferences.language} data-theme={preferences.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={preferences.theme === 'auto' ? 'light dark' : preferences.theme} />
        <title>{title}</title>
        {preview}
        <ThemeColor theme={preferences.theme} />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href={files['icon.svg']} type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href={manifest} />
        <link rel="stylesheet" href={files['site']} />
        <script type="module" src={files['main']} />
      </head>
      <body>
        <div id="page">{children}</div>
        {/* `<` is escaped as \u003c, so that no text in the data can close the element. */}
        <script
          id="state"
          type="application/json"
          dangerouslySetInnerHTML={{ __html: state.replaceAll('<', '\\u003c') }}
        />
      </body>
    </html>
  );
}

/** The color of the bar around the page in browsers that color it: the paper of the page. */
function ThemeColor({ theme }: { readonly theme: Preferences['theme'] }) {
  return (
    <>
      {(['light', 'dark'] as const)
        .filter((scheme) => theme === 'auto' || theme === scheme)
        .map((scheme) => (
          <meta
            key={scheme}
            name="theme-color"
            content={PALETTE[scheme].paper}
            {...(theme === 'auto' && { media: `(prefers-color-scheme: ${scheme})` })}
          />
        ))}
    </>
  );
}
