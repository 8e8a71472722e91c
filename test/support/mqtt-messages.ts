import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface SampleMessage {
  readonly topic: string;
  readonly payload: Buffer;
}

const FILE = fileURLToPath(new URL('../../../test/fixtures/mqtt-messages.txt', import.meta.url));

/** Finds recorded messages whose topic or payload contains `part`. */
export function sampleMessages(part: string): SampleMessage[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, topic = '', payload = ''] = /^([^#\s]\S*) (.*)$/.exec(line) ?? [];
    return topic !== '' && line.includes(part) ? [{ topic, payload: Buffer.from(payload) }] : [];
  });
}
