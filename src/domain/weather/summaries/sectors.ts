/** The points of the compass, clockwise from north: the middles of 16 sectors of 22.5 degrees. */
// prettier-ignore
export const SECTOR_NAMES = [
  'N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW',
] as const;

export const SECTORS = SECTOR_NAMES.length;
/** Width of a sector in degrees. */
export const SECTOR_WIDTH = 360 / SECTORS;
