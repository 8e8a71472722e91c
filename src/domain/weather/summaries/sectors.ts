/** The points of the compass, clockwise from north: the middles of 16 sectors of 22.5 degrees. */
// oxfmt-ignore
export const SECTOR_NAMES = [
  'N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW',
] as const;

export const SECTORS = SECTOR_NAMES.length;
/** Width of a sector in degrees. */
export const SECTOR_WIDTH = 360 / SECTORS;

const DEGREES = new Map<string, number>(
  // North is 360, because 0 is a calm in many files.
  SECTOR_NAMES.map((name, sector) => [name, sector === 0 ? 360 : sector * SECTOR_WIDTH]),
);

/** The degrees of a point of the compass, in upper or lower case: 22.5 for `NNE`; undefined for other texts. */
export function degreesOfPoint(text: string): number | undefined {
  return DEGREES.get(text.toUpperCase());
}

/** Codes for a direction that is unknown (999) or variable (990), as in SYNOP and in NOAA's Integrated Surface Database. */
export function isDirectionCode(value: number): boolean {
  return value === 999 || value === 990;
}

/**
 * The sector of a direction. Sectors are numbered clockwise, beginning with 0 for the sector around north. A direction between two
 * sectors belongs to the next sector clockwise.
 *
 * @param direction degrees; failed values may be outside of 0 to 360
 */
export function sectorOf(direction: number, sectors: number): number {
  return (Math.round(((direction % 360) * sectors) / 360) + sectors) % sectors;
}
