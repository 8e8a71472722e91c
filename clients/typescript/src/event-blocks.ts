/**
 * The fields of a block by name. A block of an event stream is a group of lines, such as `id: 7`, that ends with an empty line.
 * The value of a field can be empty.
 */
export type Block = Readonly<Partial<Record<string, string>>>;

/**
 * Yields the blocks of a stream of server-sent events (WHATWG HTML, section 9.2). A block with an id but without data is yielded
 * too: if the connection breaks after it, the client can continue the stream from this id. All line ends of a block must be of
 * the same kind.
 */
export async function* readBlocks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Block, void> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let incomplete = '';
  try {
    for (let bytes = await reader?.read(); bytes?.value !== undefined; bytes = await reader?.read()) {
      const blocks = (incomplete + decoder.decode(bytes.value, { stream: true })).split(/\n\n|\r\n\r\n|\r\r/);
      // An incomplete block is kept until its end arrives.
      incomplete = blocks.pop() ?? '';
      for (const block of blocks) yield fieldsOf(block);
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function fieldsOf(block: string): Block {
  const fields: Partial<Record<string, string>> = {};
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^(\w+)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (name === 'data' && fields['data'] !== undefined) fields['data'] += `\n${value}`;
    else if (name !== undefined) fields[name] = value;
  }
  return fields;
}

/** Waits for the given time, or until `signal` is aborted. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}
