/** Reads the blocks of server-sent events (WHATWG HTML, section 9.2). The service sends each field of a block on one line. */
export async function* readBlocks(body: ReadableStream<Uint8Array> | null) {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let rest = '';
  try {
    for (let bytes = await reader?.read(); bytes?.value !== undefined; bytes = await reader?.read()) {
      const blocks = (rest + decoder.decode(bytes.value, { stream: true })).split('\n\n');
      // An incomplete block has no valid position.
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield fieldsOf(block);
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function fieldsOf(block: string): Partial<Record<string, string>> {
  return Object.fromEntries(Array.from(block.matchAll(/^(\w+): ?(.*)$/gm), ([, name, text]) => [name, text]));
}

/** Waits, but no longer than until `signal` is aborted. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}
