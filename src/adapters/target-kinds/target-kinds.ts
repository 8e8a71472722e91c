import type { TargetKind } from '#application/ports/target-kind.js';
import { gotify } from './gotify.js';
import { ntfy } from './ntfy.js';
import { pwsweather } from './pwsweather.js';
import { telegram } from './telegram.js';
import { wowBe } from './wow-be.js';
import { wunderground } from './wunderground.js';

/** The kinds of targets of this project, in the order of lists. */
export const TARGET_KINDS: readonly TargetKind[] = [wunderground, pwsweather, wowBe, ntfy, telegram, gotify];
