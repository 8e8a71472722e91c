import type { ComponentChildren } from 'preact';
import type { Preferences } from './preferences.js';

/** The HTML document of a page. The document has no inline script: its data are a JSON element, which browsers do not execute. */
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
        <link rel="icon" href={files['icon.svg']} type="image/svg+xml" />
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
