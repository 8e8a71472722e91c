/** The English texts of the charts. */
export const charts = {
  title: 'Charts',
  spans: { '24h': '24 h', '7d': '7 days', '30d': '30 days', year: 'Year', all: 'All' },
  span: 'Time range',
  dates: { from: 'First day', to: 'Last day', show: 'Show' },
  more: 'More controls',
  earlier: 'Earlier',
  later: 'Later',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  /** The range of time that a chart or the wind rose shows. */
  range: (from: string, to: string) => `${from} – ${to}`,
  untilLast: 'The charts end with the last observation.',
  loading: 'Loading …',
  none: 'no values in this range',
  keys: 'Drag to zoom, drag with Shift to move, click to open a day. Arrow keys move through the values, Page Up and Page Down through time, + and − zoom, Enter opens the day. Esc or a double click shows the whole span again.',
  touch: 'Tap for the values, tap again to open the day, drag to move in time.',
  switches: { usual: 'usual', years: 'years over each other', doubtful: 'doubtful values' },
  /** A word for values behind now. */
  forecast: 'forecast',
  outcomes: '8 of 10 outcomes',
  mean: 'mean',
  /** The usual range of the values of an hour. */
  usual: 'usual',
  usualMean: 'usual mean',
  earlierMeans: 'mean in earlier years',
  /** @param time an interval such as `06:10 – 09:10` */
  gap: (time: string) => `no value ${time}`,
  doubtful: 'doubtful',
  /** The name of an extreme: `10.6° Sat 15:50`, or `31.1° on 8 Jun`. */
  extreme: (value: string, time: string, hasTime: boolean) =>
    hasTime ? `${value} ${time}` : `${value} on ${time}`,
  openDay: (extreme: string) => `${extreme}. Show this day`,
  rainBy: (step: string, rain: string) => {
    const steps: Readonly<Record<string, string>> = {
      hour: 'hour',
      day: 'day',
      week: 'week',
      month: 'month',
    };
    return `${rain} by ${steps[step] ?? step}`;
  },
  rainOfYear: {
    title: (year: number) => `Rain since 1 January ${year}`,
    /** @param percent the amount as a percentage of the usual amount @param years number of compared years */
    note: (amount: string, percent: string | undefined, years: number) =>
      percent === undefined
        ? amount
        : `${amount}, ${percent} % of the median to this date (gray: 8 of 10 of ${years} years)`,
  },
  noRain: {
    /** @param date date of the last rain before the range */
    none: (date: string | undefined, isNow: boolean) => {
      if (date === undefined) return 'No rain in this range.';
      return isNow ? `No rain since ${date}.` : `No rain in this range. Before it, the last was on ${date}.`;
    },
    known: 'No rain in the values that are known; some are missing.',
  },
  notes: {
    steps: {
      hour: 'line: mean of the hour, band: minimum to maximum',
      day: 'line: mean of the day, band: minimum to maximum',
      week: 'line: mean of the week, band: minimum to maximum',
    },
    means: { hour: 'line: mean of the hour', day: 'line: mean of the day', week: 'line: mean of the week' },
    highs: {
      hour: 'line: maximum of the hour',
      day: 'line: maximum of the day',
      week: 'line: maximum of the week',
    },
    gusts: (hours: number) => {
      const names: Readonly<Record<number, string>> = { 1: 'hour', 24: 'day', 168: 'week' };
      return `dots: strongest gust of each ${names[hours] ?? (hours < 1 ? `${Math.round(hours * 60)} min` : `${hours} h`)}`;
    },
    usualHours: 'gray: usual range (8 years of 10)',
    usual: 'gray: usual mean (8 years of 10)',
  },
  facts: {
    /** @param difference distance from the usual mean; undefined if it is not known @param size the distance without its sign */
    mean: (mean: string, difference: number | undefined, size: string) => {
      if (difference === undefined) return `Mean ${mean}.`;
      return `Mean ${mean}, ${Math.abs(difference) < 0.05 ? 'as usual' : `${size} ${difference < 0 ? 'colder' : 'warmer'} than usual`}.`;
    },
    frost: (days: number, count: string) =>
      days === 0 ? 'No frost.' : `${count} ${days === 1 ? 'day' : 'days'} with frost.`,
    rain: (amount: string, days: number, count: string, limit: string) =>
      `${amount} of rain${days === 0 ? '' : ` on ${count} ${days === 1 ? 'day' : 'days'} with ${limit} or more`}.`.replace(
        /^at/,
        'At',
      ),
    atLeast: (amount: string) => `at least ${amount}`,
  },
  stepIs: { hour: 'One step is one hour.', day: 'One step is one day.', week: 'One step is one week.' },
  brush: {
    title: 'The whole record',
    all: 'all',
    window: 'Shown range',
    from: 'Start of the shown range',
    to: 'End of the shown range',
  },
  minimum: 'lowest',
  maximum: 'highest',
  total: 'total',
  sinceMidnight: 'since midnight',
  /** An extreme: `lowest 3.2 °C on 4 Jan, 06:10`. */
  at: (value: string, time: string) => `${value} on ${time}`,
  /** A doubtful value. @param checks names of the failed checks */
  suspect: (checks: string) => `doubtful: ${checks}`,
  suspectCount: (count: string) => `doubtful: ${count} (hollow)`,
  checks: {
    gross_range: 'outside of the limits',
    step: 'sudden change',
    spike: 'single outlier',
    persistence: 'no change for too long',
    internal_consistency: 'contradicts other values',
    spatial_consistency: 'differs from neighbors',
    overridden: 'set manually',
  } as Readonly<Record<string, string>>,
  table: {
    open: 'Table',
    quantity: 'Values of',
    caption: (quantity: string, range: string) => `${quantity}, ${range}`,
    time: 'Time',
    page: (page: string, pages: string) => `Page ${page} of ${pages}`,
    earlier: 'Previous page',
    later: 'Next page',
  },
  download: {
    open: 'Download',
    csv: 'CSV',
    spreadsheet: 'CSV for spreadsheets',
    parquet: 'Parquet',
    json: 'JSON',
    png: 'PNG picture',
    address: 'URL of these values in the API',
    copy: 'Copy',
    copied: 'Copied',
    limit: (rows: string) =>
      `CSV and Parquet contain all rows in the range of the charts. JSON contains at most ${rows} rows; the header Link of the reply contains the URL of the next rows.`,
  },
  withoutScript: 'The charts need JavaScript. The same values as a table:',
  variables: {
    rainfall_rate: 'Rain rate',
    wind_gust_from_direction: 'Gust direction',
    surface_downwelling_shortwave_flux_in_air: 'Solar radiation',
    ultraviolet_index: 'UV index',
    duration_of_sunshine: 'Sunshine',
    cloud_area_fraction: 'Cloud cover',
    surface_snow_thickness: 'Snow depth',
    soil_temperature: 'Soil temperature',
    volume_fraction_of_condensed_water_in_soil: 'Soil moisture',
    volume_fraction_of_condensed_water_in_soil_pores: 'Moisture of soil pores',
    mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: 'PM2.5',
    mass_concentration_of_pm10_ambient_aerosol_particles_in_air: 'PM10',
    mass_concentration_of_pm1_ambient_aerosol_particles_in_air: 'PM1',
    mole_fraction_of_carbon_dioxide_in_air: 'CO₂',
    lightning_strike_count: 'Lightning strikes',
    leaf_wetness: 'Leaf wetness',
  } as Readonly<Record<string, string>>,
};
