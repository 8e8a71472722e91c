import { ByteReader, ByteWriter } from './columns/byte-lists.js';
import { DamagedBlobError, ENVELOPE, seal, unseal } from './blob.js';

/**
 * The days of a chunk (a blob with the rows of one station in some days): from `day`, in days since 1970, to `day` + `days` (not
 * included).
 */
interface Days {
  readonly day: number;
  readonly days: number;
}

/**
 * Successive chunks (blobs with the rows of one station in some days) with the same number of days, without gaps between them.
 * `day` is the first day of the first chunk, `days` is the number of days of each chunk, and `count` is the number of chunks.
 */
interface Stretch extends Days {
  readonly count: number;
}

const endOf = ({ day, days, count }: Stretch) => day + days * count;

/**
 * The list of the chunks of a station. A chunk is a blob with the rows of the station in some days. Observations are read with
 * this list, so that a missing chunk is noticed.
 *
 * Successive chunks with the same number of days and without gaps are one entry of the list (`Stretch`), so that the list of many
 * years needs only about ten bytes. The list is stored as a blob. Its content comes after the envelope, with which every blob
 * begins (blob.ts), and consists of numbers of variable length (byte-lists.ts):
 *
 *     part      content
 *     entries   number of entries
 *     each      days from the end of the previous entry (first entry: from day 0 of 1970), signed; days of a chunk; number of chunks
 */
export class ChunkList {
  /** The entries in rising order of days. */
  readonly #stretches: Stretch[];

  constructor(stretches: readonly Stretch[] = []) {
    this.#stretches = [...stretches];
  }

  /**
   * Reads the list from its blob.
   *
   * @param blob empty for a list without chunks
   * @throws DamagedBlobError
   */
  static decode(station: number, blob: Buffer): ChunkList {
    if (blob.length === 0) return new ChunkList();
    const { version, content, isValid } = unseal('list', [station], blob);
    if (version === 0 || !isValid)
      throw new DamagedBlobError('the checksum of the list of its chunks is wrong');
    const reader = new ByteReader(content, 0);
    const stretches: Stretch[] = [];
    let end = 0;
    for (let left = reader.number(); left > 0; left -= 1) {
      const stretch = { day: end + reader.signed(), days: reader.number(), count: reader.number() };
      stretches.push(stretch);
      end = endOf(stretch);
    }
    return new ChunkList(stretches);
  }

  encode(station: number): Buffer {
    const writer = new ByteWriter();
    writer.number(this.#stretches.length);
    let end = 0;
    for (const stretch of this.#stretches) {
      writer.signed(stretch.day - end);
      writer.number(stretch.days);
      writer.number(stretch.count);
      end = endOf(stretch);
    }
    const data = new Uint8Array(ENVELOPE + writer.bytes.length);
    data.set(writer.bytes, ENVELOPE);
    return seal('list', [station], data.buffer);
  }

  /** The chunk that contains a day. */
  find(day: number): Days | undefined {
    const stretch = this.#stretches[this.#after(day) - 1];
    if (stretch === undefined || day >= endOf(stretch)) return undefined;
    const { days } = stretch;
    return { day: stretch.day + Math.floor((day - stretch.day) / days) * days, days };
  }

  /** The number of chunks that contain any day from `from` to `to` (not included). */
  count(from = -Infinity, to = Infinity): number {
    let count = 0;
    for (const stretch of this.#stretches) {
      const { day, days } = stretch;
      const begin = Math.max(0, Math.floor((from - day) / days));
      const end = Math.min(stretch.count, Math.ceil((to - day) / days));
      count += Math.max(0, end - begin);
    }
    return count;
  }

  /** The last chunk that begins before a day. */
  before(day: number): Days | undefined {
    const stretch = this.#stretches[this.#after(day - 1) - 1];
    if (stretch === undefined) return undefined;
    const { days, count } = stretch;
    const place = Math.min(count - 1, Math.floor((day - 1 - stretch.day) / days));
    return { day: stretch.day + place * days, days };
  }

  /** Whether no chunk contains any of these days. */
  isFree({ day, days }: Days): boolean {
    return this.#stretches.every((stretch) => stretch.day >= day + days || endOf(stretch) <= day);
  }

  /**
   * The days of the chunks (blobs with the rows of some days) in the list that contain any day from `from` to `to` (not
   * included), in rising order.
   */
  *between(from: number, to: number): Generator<Days> {
    const first = this.find(from);
    for (const stretch of this.#stretches) {
      const { days } = stretch;
      if (endOf(stretch) <= from) continue;
      if (stretch.day >= to) return;
      const begin = first === undefined ? stretch.day : Math.max(stretch.day, first.day);
      for (let day = begin; day < Math.min(endOf(stretch), to); day += days) yield { day, days };
    }
  }

  /**
   * Adds a chunk (a blob with the rows of some days) to the list. If the list has a chunk that begins on the same day, the new
   * chunk replaces it.
   *
   * @returns whether the list has changed
   */
  set(place: Days): boolean {
    const { day, days } = place;
    const existing = this.find(day);
    if (existing?.day === day) {
      if (existing.days === days) return false;
      this.delete(day);
    }
    const index = this.#after(day);
    this.#stretches.splice(index, 0, { day, days, count: 1 });
    this.#join(index + 1);
    this.#join(index);
    return true;
  }

  /**
   * Removes the chunk (a blob with the rows of some days) that begins on this day from the list.
   *
   * @returns whether the chunk was in the list
   */
  delete(day: number): boolean {
    if (this.find(day)?.day !== day) return false;
    const index = this.#after(day) - 1;
    const stretch = this.#stretches[index] as Stretch;
    const { days } = stretch;
    const place = (day - stretch.day) / days;
    const parts = [
      { day: stretch.day, days, count: place },
      { day: day + days, days, count: stretch.count - place - 1 },
    ];
    this.#stretches.splice(index, 1, ...parts.filter(({ count }) => count > 0));
    return true;
  }

  /**
   * Index of the first entry of the list that begins after a day. An entry (`Stretch`) is several chunks of equal length without
   * gaps.
   */
  #after(day: number): number {
    let [low, high] = [0, this.#stretches.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stretches[middle] as Stretch).day <= day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Merges the entry at `index` with the entry before it, if their chunks have equal lengths and there is no gap between the
   * entries.
   */
  #join(index: number): void {
    const [before, after] = [this.#stretches[index - 1], this.#stretches[index]];
    if (before === undefined || after === undefined) return;
    if (before.days !== after.days || endOf(before) !== after.day) return;
    this.#stretches.splice(index - 1, 2, { ...before, count: before.count + after.count });
  }
}
