/** The English texts of the station page, except the charts. */
export const station = {
  connect: 'Connect this station',
  now: 'Now',
  notices: 'Notices',
  checking: (percent: number) =>
    `Quality control is still checking values of this station (${percent} %); numbers may change.`,
  elevation: (meters: string) => `${meters} m`,
  /** Letters of the hemispheres, which follow the degrees of a position. */
  hemispheres: { north: 'N', south: 'S', east: 'E', west: 'W' },
  wind: {
    calm: 'calm',
    forces: [
      'calm',
      'light air',
      'light breeze',
      'gentle breeze',
      'moderate breeze',
      'fresh breeze',
      'strong breeze',
      'near gale',
      'gale',
      'strong gale',
      'storm',
      'violent storm',
      'hurricane force',
    ],
  },
  rain: {
    title: 'Rain today',
    lastValue: 'Newest amount',
  },
  section: {
    loading: 'Loading …',
    withoutScript: 'This section needs JavaScript. Its data in the API:',
    rest: 'The rest of this section needs JavaScript. Its data in the API:',
    none: 'The station has no values for this section.',
    table: 'Values as a table',
    year: 'Year',
    quantity: 'Quantity',
  },
  usual: { title: 'Is this normal?' },
  rose: {
    title: 'Wind rose',
    label: (span: string) => `Wind rose, ${span}`,
    summary: (sector: string, share: string, calms: string) =>
      `The wind came most often from ${sector} (${share}). Calms: ${calms}.`,
    calms: 'calms',
    count: (values: string, calms: string, bound: string) =>
      `${values} values, ${calms} of them calms (below ${bound}).`,
    without: (values: string) => `Values without a direction, which are not counted: ${values}.`,
    sector: 'From',
    all: 'all',
    share: 'Share of the values in %',
    between: (low: string, high: string) => `${low}–${high}`,
    above: (bound: string) => `≥ ${bound}`,
  },
};
