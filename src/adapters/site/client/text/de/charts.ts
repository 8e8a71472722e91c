import type { Text } from '../en.js';

/** The German texts of the charts. */
export const charts: Text['charts'] = {
  title: 'Verlauf',
  spans: { '24h': '24 h', '7d': '7 Tage', '30d': '30 Tage', year: 'Jahr', all: 'Alles' },
  span: 'Zeitspanne',
  dates: { from: 'Erster Tag', to: 'Letzter Tag', show: 'Zeigen' },
  more: 'Weitere Bedienelemente',
  earlier: 'Früher',
  later: 'Später',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  range: (from, to) => `${from} – ${to}`,
  untilLast: 'Der Verlauf endet mit der letzten Beobachtung.',
  loading: 'Wird geladen …',
  none: 'keine Werte in dieser Zeit',
  keys: 'Ziehen vergrößert, Ziehen mit Umschalttaste verschiebt, ein Klick öffnet den Tag. Pfeiltasten gehen durch die Werte, Bild auf und Bild ab durch die Zeit, + und − ändern den Ausschnitt, die Eingabetaste öffnet den Tag. Esc oder ein Doppelklick zeigt wieder die ganze Zeitspanne.',
  touch: 'Tippen zeigt die Werte, nochmaliges Tippen öffnet den Tag, Ziehen verschiebt die Zeit.',
  switches: { usual: 'üblich', years: 'Jahre übereinander', doubtful: 'zweifelhafte Werte' },
  /** A word for values behind now. */
  forecast: 'Vorhersage',
  outcomes: '8 von 10 Fällen',
  mean: 'Mittel',
  usual: 'üblich',
  usualMean: 'übliches Mittel',
  earlierMeans: 'Mittel früherer Jahre',
  gap: (time) => `kein Wert ${time}`,
  doubtful: 'zweifelhaft',
  extreme: (value, time, hasTime) => (hasTime ? `${value} ${time}` : `${value} am ${time}`),
  openDay: (extreme) => `Diesen Tag zeigen: ${extreme}`,
  rainBy: (step, rain) => {
    const steps: Readonly<Record<string, string>> = {
      hour: 'in jeder Stunde',
      day: 'an jedem Tag',
      week: 'in jeder Woche',
      month: 'in jedem Monat',
    };
    return `${rain} ${steps[step] ?? step}`;
  },
  rainOfYear: {
    title: (year) => `Regen seit 1. Januar ${year}`,
    note: (amount, percent, years) =>
      percent === undefined
        ? amount
        : `${amount}, ${percent} % des Medians bis zu diesem Tag (grau: 8 von 10 der ${years} Jahre)`,
  },
  noRain: {
    none: (date, isNow) => {
      if (date === undefined) return 'Kein Regen in dieser Zeit.';
      return isNow
        ? `Kein Regen seit dem ${date}.`
        : `Kein Regen in dieser Zeit. Davor regnete es zuletzt am ${date}.`;
    },
    known: 'Kein Regen in den bekannten Werten; einige fehlen.',
  },
  notes: {
    steps: {
      hour: 'Linie: Mittel der Stunde, Band: Minimum bis Maximum',
      day: 'Linie: Mittel des Tages, Band: Minimum bis Maximum',
      week: 'Linie: Mittel der Woche, Band: Minimum bis Maximum',
    },
    means: {
      hour: 'Linie: Mittel der Stunde',
      day: 'Linie: Mittel des Tages',
      week: 'Linie: Mittel der Woche',
    },
    highs: {
      hour: 'Linie: Maximum der Stunde',
      day: 'Linie: Maximum des Tages',
      week: 'Linie: Maximum der Woche',
    },
    gusts: (hours) => {
      const names: Readonly<Record<number, string>> = {
        1: 'jeder Stunde',
        24: 'jedes Tages',
        168: 'jeder Woche',
      };
      return `Punkte: stärkste Böe ${names[hours] ?? `in je ${hours < 1 ? `${Math.round(hours * 60)} min` : `${hours} h`}`}`;
    },
    usualHours: 'grau: üblicher Bereich (8 von 10 Jahren)',
    usual: 'grau: übliches Mittel (8 von 10 Jahren)',
  },
  facts: {
    mean: (mean, difference, size) => {
      if (difference === undefined) return `Mittel ${mean}.`;
      return `Mittel ${mean}, ${Math.abs(difference) < 0.05 ? 'wie üblich' : `${size} ${difference < 0 ? 'kälter' : 'wärmer'} als üblich`}.`;
    },
    frost: (days, count) =>
      days === 0 ? 'Kein Frost.' : `${count} ${days === 1 ? 'Tag' : 'Tage'} mit Frost.`,
    rain: (amount, days, count, limit) =>
      `${amount} Regen${days === 0 ? '' : ` an ${count} ${days === 1 ? 'Tag' : 'Tagen'} mit ${limit} oder mehr`}.`.replace(
        /^m/,
        'M',
      ),
    atLeast: (amount) => `mindestens ${amount}`,
  },
  stepIs: {
    hour: 'Ein Schritt ist eine Stunde.',
    day: 'Ein Schritt ist ein Tag.',
    week: 'Ein Schritt ist eine Woche.',
  },
  brush: {
    title: 'Die ganze Messreihe',
    all: 'alles',
    window: 'Gezeigte Zeit',
    from: 'Anfang der gezeigten Zeit',
    to: 'Ende der gezeigten Zeit',
  },
  minimum: 'tiefster Wert',
  maximum: 'höchster Wert',
  total: 'Summe',
  sinceMidnight: 'seit Mitternacht',
  at: (value, time) => `${value} am ${time}`,
  suspect: (checks) => `zweifelhaft: ${checks}`,
  suspectCount: (count) => `zweifelhaft: ${count} (hohl)`,
  checks: {
    gross_range: 'außerhalb der Grenzen',
    step: 'sprunghafte Änderung',
    spike: 'einzelner Ausreißer',
    persistence: 'zu lange unverändert',
    internal_consistency: 'widerspricht anderen Werten',
    spatial_consistency: 'weicht von Nachbarn ab',
    overridden: 'von Hand gesetzt',
  },
  table: {
    open: 'Tabelle',
    quantity: 'Werte von',
    caption: (quantity, range) => `${quantity}, ${range}`,
    time: 'Zeit',
    page: (page, pages) => `Seite ${page} von ${pages}`,
    earlier: 'Vorige Seite',
    later: 'Nächste Seite',
  },
  download: {
    open: 'Herunterladen',
    csv: 'CSV',
    spreadsheet: 'CSV für Tabellenprogramme',
    parquet: 'Parquet',
    json: 'JSON',
    png: 'PNG-Bild',
    address: 'Adresse dieser Werte in der API',
    copy: 'Kopieren',
    copied: 'Kopiert',
    limit: (rows) =>
      `CSV und Parquet enthalten alle Zeilen der gezeigten Zeit. JSON enthält höchstens ${rows} Zeilen; die Kopfzeile Link enthält die Adresse der nächsten Zeilen.`,
  },
  withoutScript: 'Die Diagramme brauchen JavaScript. Dieselben Werte als Tabelle:',
  variables: {
    rainfall_rate: 'Regenrate',
    wind_gust_from_direction: 'Richtung der Böen',
    surface_downwelling_shortwave_flux_in_air: 'Sonnenstrahlung',
    ultraviolet_index: 'UV-Index',
    duration_of_sunshine: 'Sonnenschein',
    cloud_area_fraction: 'Bewölkung',
    surface_snow_thickness: 'Schneehöhe',
    soil_temperature: 'Bodentemperatur',
    volume_fraction_of_condensed_water_in_soil: 'Bodenfeuchte',
    volume_fraction_of_condensed_water_in_soil_pores: 'Feuchte der Bodenporen',
    mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: 'PM2,5',
    mass_concentration_of_pm10_ambient_aerosol_particles_in_air: 'PM10',
    mass_concentration_of_pm1_ambient_aerosol_particles_in_air: 'PM1',
    mole_fraction_of_carbon_dioxide_in_air: 'CO₂',
    lightning_strike_count: 'Blitze',
    leaf_wetness: 'Blattnässe',
  },
};
