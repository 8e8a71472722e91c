import { SourceFailure } from '#domain/sources/source-failure.js';

/** The failure of a request. @throws Error if the request succeeds, or fails with another error */
export async function failureOf(request: Promise<unknown> | undefined): Promise<SourceFailure> {
  try {
    await request;
  } catch (error) {
    if (error instanceof SourceFailure) return error;
    throw error;
  }
  throw new Error('the request did not fail');
}
