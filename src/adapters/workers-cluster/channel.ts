/** One end of the connection between two processes of Node.js. */
export interface MessagePort {
  /** Sends a message. @param sent called when the message has left this process, or with the error if it cannot be sent */
  send(message: unknown, sent: (error: Error | null) => void): void;
  /**
   * Sets the receiver of messages.
   *
   * @param receiver resolves when the message has been handled and its answer has left this process. Rejects if `message` is not
   *   a message of a `Channel`.
   */
  onMessage(receiver: (message: unknown) => Promise<void>): void;
}

/**
 * The functions that answer requests of the other process, by the name of the request. A function that throws or rejects refuses the
 * request.
 */
export type Handlers = Readonly<Record<string, (payload: never) => unknown>>;

type Message =
  | { readonly name: string; readonly payload: unknown; readonly request?: number }
  | { readonly reply: number; readonly value?: unknown; readonly error?: string };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Sends messages and requests to another process, and answers the requests of the other process. */
export class Channel {
  readonly #port: MessagePort;
  readonly #handlers: Handlers;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;
  #closed: Error | undefined;

  constructor(port: MessagePort, handlers: Handlers) {
    this.#port = port;
    this.#handlers = handlers;
    port.onMessage((message) => this.#receive(message as Message));
  }

  /** Sends a message that needs no answer. Never throws. @param sent called when the message has left this process or is lost */
  notify(name: string, payload: unknown, sent: () => void = () => undefined): void {
    if (this.#closed === undefined) this.#port.send({ name, payload }, sent);
    else sent();
  }

  /** Sends a request. Resolves to the answer. Rejects with the error of the other process, or with the reason of `close`. */
  request(name: string, payload: unknown): Promise<unknown> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const request = (this.#requests += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, { resolve, reject });
      this.#port.send({ name, payload, request }, (error) => error && this.#settle(request)?.reject(error));
    });
  }

  /** Closes the channel. Call it when the other process has ended. Requests without an answer reject with `reason`. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#closed);
    this.#waiting.clear();
  }

  #settle(request: number): Waiting | undefined {
    const waiting = this.#waiting.get(request);
    this.#waiting.delete(request);
    return waiting;
  }

  async #receive(message: Message): Promise<void> {
    if ('reply' in message) {
      const waiting = this.#settle(message.reply);
      if (message.error === undefined) waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.error));
      return;
    }
    const { name, payload, request } = message;
    const answer = await this.#answer(name, payload);
    if (request === undefined || this.#closed !== undefined) return;
    const reply = (content: object) =>
      new Promise<Error | null>((sent) => this.#port.send({ reply: request, ...content }, sent));
    const error = await reply(answer);
    // The answer could not be sent, because it was too large or the connection has ended. The error is sent in place of the
    // answer.
    if (error instanceof Error) await reply({ error: error.message });
  }

  async #answer(name: string, payload: unknown): Promise<{ value: unknown } | { error: string }> {
    try {
      return { value: await this.#handlers[name]?.(payload as never) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}
