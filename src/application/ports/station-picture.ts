/** Draws the picture of a station for messages to people. */
export interface StationPicture {
  /**
   * Draws the station as visitors without a token see it. Takes a few seconds at most, and never rejects.
   *
   * @param station id of the station
   * @returns a PNG; undefined if visitors do not see the station, if pictures are switched off, or if drawing fails
   */
  draw(station: string): Promise<Uint8Array | undefined>;
}
