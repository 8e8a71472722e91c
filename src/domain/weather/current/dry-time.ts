import { MILLISECONDS } from '../../time.js';

/** Rain has ended when no amount above 0 was measured for this time, in milliseconds. */
export const DRY_TIME = MILLISECONDS.hour;
