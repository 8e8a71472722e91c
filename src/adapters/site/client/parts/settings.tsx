import { useRef } from 'preact/hooks';
import { UNIT_CHOICES, type UnitChoice } from '../format/units.js';
import { type Preferences, THEMES } from '../preferences.js';
import { useSite } from '../site-context.js';
import { languageName, LANGUAGES } from '../text/languages.js';

/**
 * The form for language, units and colors. A choice takes effect at once. Without JavaScript, a button sends the choices as a query,
 * and the service sets the cookie.
 */
export function Settings() {
  const { text, preferences, choose } = useSite();
  return (
    <form
      class="settings"
      method="get"
      onChange={({ currentTarget }) => choose(read(new FormData(currentTarget)))}
    >
      <Choice name="lang" label={text.site.language} chosen={preferences.language}>
        {LANGUAGES.map((language) => [language, languageName(language)])}
      </Choice>
      <Choice name="units" label={text.site.units} chosen={preferences.units}>
        {UNIT_CHOICES.map((choice) => [choice, text.site.unitChoices[choice]])}
      </Choice>
      <Choice name="theme" label={text.site.theme} chosen={preferences.theme}>
        {THEMES.map((theme) => [theme, text.site.themes[theme]])}
      </Choice>
      <noscript>
        <button type="submit">{text.site.apply}</button>
      </noscript>
    </form>
  );
}

/** A list of options with a label. */
export function Choice({
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

function read(form: FormData): Preferences {
  return {
    language: form.get('lang') as Preferences['language'],
    units: form.get('units') as Preferences['units'],
    theme: form.get('theme') as Preferences['theme'],
  };
}

/** The switch between degrees Celsius and Fahrenheit. The other units follow: °F brings in, mph and inHg. */
export function DegreeSwitch() {
  const { text, preferences, choose } = useSite();
  const isFahrenheit = preferences.units === 'imperial';
  /** The units to which °C returns. */
  const celsius = useRef<UnitChoice>('metric');
  if (!isFahrenheit) celsius.current = preferences.units;
  const options = [
    ['°C', celsius.current, !isFahrenheit],
    ['°F', 'imperial', isFahrenheit],
  ] as const;
  return (
    <form class="degrees" method="get" onSubmit={(event) => event.preventDefault()}>
      <div class="segments" role="group" aria-label={text.site.degrees}>
        {options.map(([label, units, isPressed]) => (
          <button
            key={label}
            type="submit"
            name="units"
            value={units}
            aria-pressed={isPressed}
            onClick={() => !isPressed && choose({ ...preferences, units })}
          >
            {label}
          </button>
        ))}
      </div>
    </form>
  );
}
