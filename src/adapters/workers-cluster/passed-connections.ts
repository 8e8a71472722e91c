import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

/**
 * Keeps the connection that node:cluster has last passed to a worker process, so that the connection can be closed if the worker
 * process ends.
 *
 * node:cluster passes one connection at a time. The main process keeps the connection open until the worker process has answered.
 * If the worker process ends before its answer, node:cluster does not close the connection, and the client would wait for ever.
 * So `close` of this class closes the connection.
 */
export class PassedConnections {
  #last: Handle | undefined;

  constructor(child: ChildProcess) {
    const send = child.send.bind(child) as (...parameters: unknown[]) => boolean;
    // node:cluster passes connections to a worker process with the method `send` of the process. This replacement of `send` notes
    // each connection before it passes the connection on.
    child.send = (...parameters: unknown[]) => {
      const [, handle] = parameters;
      if (isHandle(handle)) this.#last = handle;
      return send(...parameters);
    };
  }

  /**
   * Closes the last connection. Call it when the worker process has ended. If the worker process has accepted the connection, the
   * main process has already closed its own copy, and `close` has no effect.
   */
  close(): void {
    this.#last?.close();
  }
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
