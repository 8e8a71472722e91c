import type { ChildProcess } from 'node:child_process';

interface Handle {
  close(): void;
}

/**
 * The connection that was passed to a worker process last. node:cluster passes one at a time and keeps it open until the process has
 * answered. If the process ends before, nobody would close it, and the client would wait for ever.
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

  /** To be called when the process has ended. A connection that it has taken is closed here already, and stays as it is. */
  close(): void {
    this.#last?.close();
  }
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
