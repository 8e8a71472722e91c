import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Sqlite } from './driver.js';

/** Milliseconds between two looks at the disks. */
const LOOK_INTERVAL = 200;

/** Sizes in bytes. */
export interface FileSpace {
  readonly size: number;
  /** Part of the file that nothing uses. */
  readonly free: number;
  /** What rewriting the file needs beside it: the new content once in the folder of the file and once in `temporary`. */
  readonly needed: number;
}

/** The folder in which SQLite keeps the new content at first, if no SQLITE_TMPDIR names another one. */
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
 * Makes sure that the disks have space to rewrite a file.
 *
 * @throws Error with the space that is needed and that is there
 */
export async function assertSpace(
  file: string,
  { needed }: FileSpace,
  freeOf: (folder: string) => Promise<number | undefined> = freeSpace,
): Promise<void> {
  const folders = [dirname(file), temporaryFolder()];
  for (const folder of folders) {
    const free = await freeOf(folder);
    // Both may be on the same disk.
    const least = 2 * needed;
    if (free === undefined || free >= least) continue;
    throw new Error(
      `Rewriting the file needs ${megabytes(least)} of free disk space in ${folder}, and there are ` +
        `${megabytes(free)}. Nothing was changed.`,
    );
  }
}

/**
 * Rewrites a data file without free pages.
 *
 * @param onProgress receives the bytes written since the last call, of twice `needed`
 * @throws Error if another process uses the file or the disk is full. The file is as it was then.
 */
export async function vacuum(file: string, onProgress: (bytes: number) => void): Promise<void> {
  const worker = new Worker(new URL('./vacuum-worker.js', import.meta.url), { workerData: file });
  const free = () => freeSpace(dirname(file));
  let least = await free();
  // What the disk loses is what has been written.
  const look = setInterval(() => {
    void free().then((now) => {
      if (least === undefined || now === undefined || now >= least) return;
      onProgress(least - now);
      least = now;
    });
  }, LOOK_INTERVAL);
  try {
    await new Promise<void>((resolve, reject) => {
      let isDone = false;
      worker.once('message', () => (isDone = true));
      worker.once('error', (error) => reject(new Error(`${file}: ${error.message}`, { cause: error })));
      worker.once('exit', () => {
        if (isDone) resolve();
        else reject(new Error(`${file}: the thread that rewrites it has ended early`));
      });
    });
  } finally {
    clearInterval(look);
  }
}

/** Free bytes; undefined if the file system does not report them. */
async function freeSpace(folder: string): Promise<number | undefined> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return blocks === 0 ? undefined : bsize * bavail;
}

/** `12.3 MB` */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
