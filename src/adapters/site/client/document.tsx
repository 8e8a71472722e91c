import type { ComponentChildren } from 'preact';
import type { Preferences } from './preferences.js';

/** The document around a page. The page has no inline script: its first data are JSON, which browsers do not run. */
export function Document({
  title,
  preferences,
  files,
  state,
  children,
}: {
  readonly title: string;
  readonly preferences: Preferences;
  readonly files: Readonly<Record<string, string>>;
  /** JSON for the browser. */
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
        <link rel="icon" href={files['icon.svg']} type="image/svg+xml" />
        <link rel="stylesheet" href={files['site']} />
        <script type="module" src={files['main']} />
      </head>
      <body>
        <div id="page">{children}</div>
        {/* `<` is written as \u003c, so no text of the data can end the element. */}
        <script
          id="state"
          type="application/json"
          dangerouslySetInnerHTML={{ __html: state.replaceAll('<', '\\u003c') }}
        />
      </body>
    </html>
  );
}
