import { UNIT_CHOICES } from '../format/units.js';
import { type Preferences, storePreferences, THEMES } from '../preferences.js';
import { useSite } from '../site-context.js';
import { LANGUAGE_NAMES, LANGUAGES } from '../text/languages.js';

/**
 * The form for language, units and colors. Without JavaScript, the browser sends these preferences as a query, and the service
 * sets the cookie.
 */
export function Settings() {
  const { text, preferences } = useSite();
  return (
    <details class="settings">
      <summary>{text.site.settings}</summary>
      <form method="get" onSubmit={apply}>
        <Choice name="lang" label={text.site.language} chosen={preferences.language}>
          {LANGUAGES.map((language) => [language, LANGUAGE_NAMES[language]])}
        </Choice>
        <Choice name="units" label={text.site.units} chosen={preferences.units}>
          {UNIT_CHOICES.map((choice) => [choice, text.site.unitChoices[choice]])}
        </Choice>
        <Choice name="theme" label={text.site.theme} chosen={preferences.theme}>
          {THEMES.map((theme) => [theme, text.site.themes[theme]])}
        </Choice>
        <button type="submit">{text.site.apply}</button>
      </form>
    </details>
  );
}

function Choice({
  name,
  label,
  chosen,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly chosen: string;
  /** Values of the options, each with its text. */
  readonly children: readonly (readonly [value: string, text: string])[];
}) {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        {children.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Stores the preferences and reloads the page. The first screen of the reloaded page uses the new preferences. */
function apply(event: SubmitEvent): void {
  event.preventDefault();
  const form = new FormData(event.currentTarget as HTMLFormElement);
  storePreferences({
    language: form.get('lang') as Preferences['language'],
    units: form.get('units') as Preferences['units'],
    theme: form.get('theme') as Preferences['theme'],
  });
  const address = new URL(location.href);
  for (const name of ['lang', 'units', 'theme']) address.searchParams.delete(name);
  location.replace(address.href);
}
