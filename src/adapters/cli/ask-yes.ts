import { read } from 'read';

/** Whether the person at the terminal agrees. Anything but yes is no. */
export async function askYes(question: string): Promise<boolean> {
  // On standard error, as the password is asked for: standard output holds only results.
  const answer = await read({ prompt: `${question} [y/N] `, output: process.stderr });
  return /^y(?:es)?$/i.test(answer.trim());
}
