import type { SourceKind } from '#application/ports/source-kind.js';
import { ecowittCloud } from './ecowitt-cloud.js';
import { ecowittTcp } from './ecowitt-tcp.js';
import { ecowitt } from './ecowitt.js';
import { homeAssistant } from './home-assistant.js';
import { netatmo } from './netatmo.js';
import { shelly } from './shelly.js';
import { tempestCloud } from './tempest-cloud.js';
import { tempest } from './tempest.js';
import { weatherlinkCloud } from './weatherlink-cloud.js';
import { weatherlinkLive } from './weatherlink-live.js';

/** The kinds of sources of this project, in the order of lists. */
export const SOURCE_KINDS: readonly SourceKind[] = [
  weatherlinkLive,
  tempest,
  ecowitt,
  ecowittTcp,
  shelly,
  homeAssistant,
  weatherlinkCloud,
  tempestCloud,
  ecowittCloud,
  netatmo,
];
