import { type Algorithm, hashSync, type Options, verifySync } from '@node-rs/argon2';

/**
 * Worker thread that hashes passwords. It uses the synchronous calls on purpose. Asynchronous calls would fill Node's shared
 * thread pool, and a route that reads a file would wait for seconds while many users sign in.
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
