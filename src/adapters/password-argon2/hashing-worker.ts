import { type Algorithm, hashSync, type Options, verifySync } from '@node-rs/argon2';

/**
 * The thread that hashes. Synchronous on purpose: the asynchronous calls would take the places of Node's shared
 * thread pool, and then a route that reads a file waits for seconds while many sign in.
 *
 * The parameters are OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
 */
export const PARAMETERS: Options = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

export type Task = { readonly password: string; readonly hash?: string };

export default function run({ password, hash }: Task): string | boolean {
  return hash === undefined ? hashSync(password, PARAMETERS) : verifySync(hash, password);
}
