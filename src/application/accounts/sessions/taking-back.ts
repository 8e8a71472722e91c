/** Runs `work` for an attempt that has been counted. When it rejects, the attempt is taken back: it was no guess. */
export async function takingBack<T>(takeBack: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await takeBack();
    throw error;
  }
}
