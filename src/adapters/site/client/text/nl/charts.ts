import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

const days = (n: number) => (n === 1 ? 'dag' : 'dagen');

/** The Dutch texts of the charts. */
export const charts: Translation<Text['charts']> = {
  title: 'Grafieken',
  spans: { '24h': '24 uur', '7d': '7 dagen', '30d': '30 dagen', year: 'Jaar', all: 'Alles' },
  span: 'Periode',
  dates: { from: 'Eerste dag', to: 'Laatste dag', show: 'Tonen' },
  more: 'Meer knoppen',
  earlier: 'Eerder',
  later: 'Later',
  zoomIn: 'Inzoomen',
  zoomOut: 'Uitzoomen',
  range: (from, to) => `${from} – ${to}`,
  untilLast: 'De grafieken eindigen met de laatste meting.',
  loading: 'Laden …',
  none: 'geen waarden in deze periode',
  keys: 'Slepen zoomt in, slepen met Shift verschuift, klikken opent een dag. Pijltjestoetsen gaan door de waarden, Page Up en Page Down door de tijd, + en − zoomen, Enter opent de dag. Esc of dubbelklikken toont weer de hele periode.',
  touch: 'Tik voor de waarden, tik nog eens om de dag te openen, sleep om in de tijd te schuiven.',
  switches: { usual: 'gewoonlijk', years: 'jaren over elkaar', doubtful: 'twijfelachtige waarden' },
  /** A word for values behind now. */
  forecast: 'verwachting',
  outcomes: '8 van 10 gevallen',
  mean: 'gemiddelde',
  usual: 'gewoonlijk',
  usualMean: 'gewoonlijk gemiddelde',
  earlierMeans: 'gemiddelde in eerdere jaren',
  gap: (time) => `geen waarde ${time}`,
  doubtful: 'twijfelachtig',
  extreme: (value, time, hasTime) => (hasTime ? `${value} ${time}` : `${value} op ${time}`),
  openDay: (extreme) => `${extreme}. Deze dag tonen`,
  rainBy: (step, rain) => {
    const steps: Readonly<Record<string, string>> = { hour: 'uur', day: 'dag', week: 'week', month: 'maand' };
    return `${rain} per ${steps[step] ?? step}`;
  },
  rainOfYear: {
    title: (year) => `Neerslag sinds 1 januari ${year}`,
    note: (amount, percent, years) =>
      percent === undefined
        ? amount
        : `${amount}, ${percent} % van de mediaan tot deze datum (grijs: 8 van de 10 van ${years} jaren)`,
  },
  noRain: {
    none: (date, isNow) => {
      if (date === undefined) return 'Geen neerslag in deze periode.';
      return isNow
        ? `Geen neerslag sinds ${date}.`
        : `Geen neerslag in deze periode. Daarvoor viel de laatste op ${date}.`;
    },
    known: 'Geen neerslag in de bekende waarden; sommige ontbreken.',
  },
  notes: {
    steps: {
      hour: 'lijn: gemiddelde van het uur, band: minimum tot maximum',
      day: 'lijn: gemiddelde van de dag, band: minimum tot maximum',
      week: 'lijn: gemiddelde van de week, band: minimum tot maximum',
    },
    means: {
      hour: 'lijn: gemiddelde van het uur',
      day: 'lijn: gemiddelde van de dag',
      week: 'lijn: gemiddelde van de week',
    },
    highs: {
      hour: 'lijn: maximum van het uur',
      day: 'lijn: maximum van de dag',
      week: 'lijn: maximum van de week',
    },
    gusts: (hours) => {
      const names: Readonly<Record<number, string>> = { 1: 'elk uur', 24: 'elke dag', 168: 'elke week' };
      const length = hours < 1 ? `elke ${Math.round(hours * 60)} min` : `elke ${hours} uur`;
      return `punten: sterkste windstoot van ${names[hours] ?? length}`;
    },
    usual: 'grijs: gewoonlijk gemiddelde (8 van de 10 jaren)',
    usualHours: 'grijs: gewoon bereik (8 van de 10 jaren)',
  },
  facts: {
    mean: (mean, difference, size) => {
      if (difference === undefined) return `Gemiddeld ${mean}.`;
      return `Gemiddeld ${mean}, ${Math.abs(difference) < 0.05 ? 'zoals gewoonlijk' : `${size} ${difference < 0 ? 'kouder' : 'warmer'} dan gewoonlijk`}.`;
    },
    frost: (n, count) => (n === 0 ? 'Geen vorst.' : `${count} ${days(n)} met vorst.`),
    rain: (amount, n, count, limit) =>
      `${amount} neerslag${n === 0 ? '' : ` op ${count} ${days(n)} met ${limit} of meer`}.`.replace(
        /^m/,
        'M',
      ),
    atLeast: (amount) => `minstens ${amount}`,
  },
  stepIs: { hour: 'Een stap is een uur.', day: 'Een stap is een dag.', week: 'Een stap is een week.' },
  brush: {
    title: 'De hele reeks',
    all: 'alles',
    window: 'Getoonde periode',
    from: 'Begin van de getoonde periode',
    to: 'Einde van de getoonde periode',
  },
  minimum: 'laagste',
  maximum: 'hoogste',
  total: 'totaal',
  sinceMidnight: 'sinds middernacht',
  at: (value, time) => `${value} op ${time}`,
  suspect: (checks) => `twijfelachtig: ${checks}`,
  suspectCount: (count) => `twijfelachtig: ${count} (open)`,
  checks: {
    gross_range: 'buiten de grenzen',
    step: 'plotselinge verandering',
    spike: 'losse uitschieter',
    persistence: 'te lang onveranderd',
    internal_consistency: 'in strijd met andere waarden',
    spatial_consistency: 'wijkt af van de buren',
    overridden: 'met de hand bepaald',
  },
  table: {
    open: 'Tabel',
    quantity: 'Waarden van',
    caption: (quantity, range) => `${quantity}, ${range}`,
    time: 'Tijd',
    page: (page, pages) => `Pagina ${page} van ${pages}`,
    earlier: 'Vorige pagina',
    later: 'Volgende pagina',
  },
  download: {
    open: 'Downloaden',
    csv: 'CSV',
    spreadsheet: 'CSV voor spreadsheets',
    parquet: 'Parquet',
    json: 'JSON',
    png: 'PNG-afbeelding',
    address: 'URL van deze waarden in de API',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    limit: (rows) =>
      `CSV en Parquet bevatten alle rijen in de periode van de grafieken. JSON bevat hoogstens ${rows} rijen; de header Link van het antwoord bevat de URL van de volgende rijen.`,
  },
  withoutScript: 'De grafieken hebben JavaScript nodig. Dezelfde waarden als tabel:',
  variables: {
    rainfall_rate: 'Neerslagintensiteit',
    wind_gust_from_direction: 'Richting van de windstoot',
    surface_downwelling_shortwave_flux_in_air: 'Zonnestraling',
    ultraviolet_index: 'Uv-index',
    duration_of_sunshine: 'Zonneschijn',
    cloud_area_fraction: 'Bewolking',
    surface_snow_thickness: 'Sneeuwhoogte',
    soil_temperature: 'Bodemtemperatuur',
    volume_fraction_of_condensed_water_in_soil: 'Bodemvocht',
    volume_fraction_of_condensed_water_in_soil_pores: 'Vocht in de bodemporiën',
    mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: 'PM2,5',
    mass_concentration_of_pm10_ambient_aerosol_particles_in_air: 'PM10',
    mass_concentration_of_pm1_ambient_aerosol_particles_in_air: 'PM1',
    mole_fraction_of_carbon_dioxide_in_air: 'CO₂',
    lightning_strike_count: 'Blikseminslagen',
    leaf_wetness: 'Bladnat',
  },
};
