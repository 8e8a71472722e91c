import { SourceFailure } from '#domain/sources/source-failure.js';

/** Waits for a request that must fail. @throws the error if it is no SourceFailure, and an error if the request succeeds */
export async function failureOf(
  asked: Promise<unknown> | undefined,
): Promise<Pick<SourceFailure, 'message' | 'needsOwner'>> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const { message, needsOwner } = error;
    return { message, needsOwner };
  }
  throw new Error('the source did not fail');
}
