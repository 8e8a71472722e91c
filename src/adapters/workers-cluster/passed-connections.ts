import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

/**
 * Keeps the connection that was last passed to a worker process. node:cluster passes one connection at a time and keeps it open
 * until the process has answered. If the process ends before its answer, only this class closes the connection; otherwise the
 * client would wait for ever.
 */
export class PassedConnections {
  #last: Handle | undefined;

  constructor(child: ChildProcess) {
    const send = child.send.bind(child) as (...parameters: unknown[]) => boolean;
    // node:cluster passes connections with this method of each process.
    child.send = (...parameters: unknown[]) => {
      const [, handle] = parameters;
      if (isHandle(handle)) this.#last = handle;
      return send(...parameters);
    };
  }

  /**
   * Closes the last connection. Call it when the process has ended. If the process accepted the connection, the connection is
   * already closed in this process, and `close` has no effect on it.
   */
  close(): void {
    this.#last?.close();
  }
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
