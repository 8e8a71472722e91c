/** Difference between `performance.now()` and the monotonic clock of the machine. */
const ORIGIN = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds of a clock that all processes of the machine share. It is monotonic, unlike the time of day. */
export function sharedNow(): number {
  return ORIGIN + performance.now();
}
