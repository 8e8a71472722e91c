import type { WeatherEvent } from './types.js';

/** Reads server-sent events (WHATWG HTML, section 9.2). It keeps what the next connection needs. */
export class EventLines {
  /** The id of the last event. */
  lastId: string | undefined;
  /** The time before the next connection, in milliseconds. */
  retry = 3000;

  constructor(lastId: string | undefined) {
    this.lastId = lastId;
  }

  async *read(body: ReadableStream<Uint8Array>): AsyncGenerator<WeatherEvent, void, undefined> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    let [type, data, id] = ['', '', this.lastId];
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        // The service ends lines with a line feed alone.
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const [, name, text = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
          if (name === 'event') type = text;
          else if (name === 'data') data += text;
          else if (name === 'id') id = text;
          else if (name === 'retry') this.retry = Number(text);
          else if (line === '') {
            // The position is valid only when its event is complete.
            this.lastId = id;
            if (data !== '') yield { ...JSON.parse(data), type, id: id ?? '' } as WeatherEvent;
            [type, data] = ['', ''];
          }
        }
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }
}
