import type { RecordedExchange } from '#application/ports/delivery.js';

/** The requests of a test and their replies as text. */
export function formatExchanges(exchanges: readonly RecordedExchange[]): string {
  return exchanges
    .map(({ sent, received }) => `Sent:\n${indented(sent)}\nReceived:\n${indented(received)}\n`)
    .join('\n');
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
