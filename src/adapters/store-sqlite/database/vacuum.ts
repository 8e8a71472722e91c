import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Sqlite } from './driver.js';

/** Milliseconds between two measurements of the free disk space. */
const MEASURE_INTERVAL = 200;

/** Sizes of a data file and of its parts, in bytes. */
export interface FileSpace {
  readonly size: number;
  /** Size of the unused pages. */
  readonly free: number;
  /** Free space that a rewrite needs in the folder of the file, and again in the folder for temporary files. */
  readonly needed: number;
}

/** The folder in which SQLite first writes the new content, if the environment variable SQLITE_TMPDIR does not name another folder. */
export function temporaryFolder(): string {
  const folder = tmpdir();
  return folder === '/tmp' && existsSync('/var/tmp') ? '/var/tmp' : folder;
}

/** @throws Error if the file cannot be read */
export function spaceOf(file: string): FileSpace {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const [page, pages, free] = ['page_size', 'page_count', 'freelist_count'].map((name) =>
      Number(database.pragma(name, { simple: true })),
    ) as [number, number, number];
    return { size: page * pages, free: page * free, needed: page * (pages - free) };
  } finally {
    database.close();
  }
}

/**
 * Asserts that the disks have enough space to rewrite a file.
 *
 * @throws Error with the needed and the free space
 */
export async function assertSpace(
  file: string,
  { needed }: FileSpace,
  freeOf: (folder: string) => Promise<number | undefined> = freeSpace,
): Promise<void> {
  const folders = [dirname(file), temporaryFolder()];
  for (const folder of folders) {
    const free = await freeOf(folder);
    // Both folders may be on the same disk, which then needs the space twice.
    const least = 2 * needed;
    if (free === undefined || free >= least) continue;
    throw new Error(
      `Rewriting the file needs ${megabytes(least)} of free disk space in ${folder}, which has ` +
        `${megabytes(free)}. Nothing was changed.`,
    );
  }
}

/**
 * Rewrites a data file without free pages.
 *
 * @param onProgress receives the bytes written since the last call. The sum of all calls is twice `FileSpace.needed`
 * @throws Error if another process uses the file or the disk is full. The file is then unchanged.
 */
export async function vacuum(file: string, onProgress: (bytes: number) => void): Promise<void> {
  const worker = new Worker(new URL('./vacuum-worker.js', import.meta.url), { workerData: file });
  const free = () => freeSpace(dirname(file));
  let least = await free();
  // The decrease of free disk space is the number of written bytes.
  const measurement = setInterval(() => {
    void free().then((now) => {
      if (least === undefined || now === undefined || now >= least) return;
      onProgress(least - now);
      least = now;
    });
  }, MEASURE_INTERVAL);
  try {
    await new Promise<void>((resolve, reject) => {
      let isDone = false;
      worker.once('message', () => (isDone = true));
      worker.once('error', (error) => reject(new Error(`${file}: ${error.message}`, { cause: error })));
      worker.once('exit', () => {
        if (isDone) resolve();
        else
          reject(
            new Error(
              `${file}: the thread that rewrites the file ended before it had finished. Run the command again`,
            ),
          );
      });
    });
  } finally {
    clearInterval(measurement);
  }
}

/** Free bytes; undefined if the file system does not report them. */
async function freeSpace(folder: string): Promise<number | undefined> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return blocks === 0 ? undefined : bsize * bavail;
}

/** A size as text: `12.3 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
