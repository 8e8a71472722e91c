/** The points of the compass, clockwise from north: the middles of 16 sectors of 22.5 degrees. */
// prettier-ignore
export const SECTOR_NAMES = [
  'N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW',
] as const;

export const SECTORS = SECTOR_NAMES.length;
/** Width of a sector in degrees. */
export const SECTOR_WIDTH = 360 / SECTORS;

/**
 * The sector of a direction, clockwise from the one around north, which is 0. A direction between two sectors belongs to the next
 * one clockwise.
 *
 * @param direction in degrees; values that failed may be beyond 0 to 360
 */
export function sectorOf(direction: number, sectors: number): number {
  return (Math.round(((direction % 360) * sectors) / 360) + sectors) % sectors;
}
