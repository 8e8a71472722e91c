/** Maximum number of rows that are written together. The write takes a few milliseconds. */
export const SLICE = 8192;

/**
 * The chosen rows, station by station, in slices of at most `SLICE` rows of one station. Rows of a station keep their order.
 *
 * @param stations station number of each row
 */
export function* slicesByStation(
  stations: Uint32Array,
  isChosen: (row: number) => boolean,
): Generator<Uint32Array> {
  const chosen = new Uint32Array(stations.length);
  let length = 0;
  let isGrouped = true;
  for (let row = 0; row < stations.length; row += 1) {
    if (!isChosen(row)) continue;
    const before = length === 0 ? 0 : (stations[chosen[length - 1] as number] as number);
    isGrouped &&= before <= (stations[row] as number);
    chosen[length] = row;
    length += 1;
  }
  const rows = chosen.subarray(0, length);
  if (!isGrouped) rows.sort((a, b) => (stations[a] as number) - (stations[b] as number) || a - b);
  let from = 0;
  for (let to = 1; to <= length; to += 1) {
    const isOther = to === length || stations[rows[to] as number] !== stations[rows[from] as number];
    if (!isOther && to - from < SLICE) continue;
    yield rows.subarray(from, to);
    from = to;
  }
}
