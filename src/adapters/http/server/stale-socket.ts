import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/** Removes the Unix domain socket of a killed process. A socket on which a process listens is kept. */
export async function removeStaleSocket(path: string): Promise<void> {
  const isSocket = await lstat(path).then(
    (stats) => stats.isSocket(),
    () => false,
  );
  if (isSocket && (await isRefused(path))) await unlink(path);
}

function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
