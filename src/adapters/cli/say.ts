/** Writes a line for whoever typed the command. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
