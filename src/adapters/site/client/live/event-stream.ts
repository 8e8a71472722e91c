/** An event of a stream (WHATWG HTML, section 9.2). */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Splits the text of a stream of server-sent events. `EventSource` is not used, because it can neither send a token nor tell why
 * a stream was refused.
 */
export class EventStreamParser {
  /** The id of the newest event, from which the stream can be continued. */
  lastId: string | undefined;
  #rest = '';
  #event = '';
  #data: string[] = [];

  /** @param text the next piece, which may begin and end anywhere @returns the events that it completes */
  push(text: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    // A carriage return at the end may be the first half of a line end.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') this.#addField(line);
      else if (this.#data.length > 0) {
        events.push({ event: this.#event || 'message', data: this.#data.join('\n') });
        [this.#event, this.#data] = ['', []];
      }
    }
    return events;
  }

  #addField(line: string): void {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?/.exec(line) ?? [];
    if (name === 'id') this.lastId = value;
    else if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
  }
}
