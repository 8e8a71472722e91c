/**
 * Reads the data of a station. If the station was removed or hidden from the visitor, the page is loaded again, which then says that
 * there is no such station.
 *
 * @throws the error of `read`
 */
export async function readOrReload<Data>(
  read: () => Promise<Data>,
  reload: () => Promise<void>,
): Promise<Data> {
  try {
    return await read();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'STATION_UNKNOWN') void reload();
    throw error;
  }
}
