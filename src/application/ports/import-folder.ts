/** The received files of imports, each in a folder of its own, with a record that describes the import. */
export interface ImportFolder {
  /**
   * Stores the bytes of a file while they arrive. If this fails, nothing remains.
   *
   * @param id id of the import
   * @param name name of the file, as `importFileName` returns it
   * @returns number of bytes
   * @throws DomainError DISK_FULL; the error of `bytes`
   */
  receive(id: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /**
   * Time at which the last byte of an import arrived, in milliseconds since 1970-01-01T00:00:00Z. Undefined if nothing has
   * arrived.
   */
  lastByteAt(id: string, name: string): Promise<number | undefined>;
  /** Stores the record of an import whose file was received. The record replaces an earlier one at once, or not at all. */
  save(id: string, record: unknown): Promise<void>;
  /** Returns all records. Removes the folders of files that were not received completely, and all unpacked files. */
  load(): Promise<readonly unknown[]>;
  /** Removes the file and the record of an import. A second call does nothing. */
  remove(id: string): Promise<void>;
}
