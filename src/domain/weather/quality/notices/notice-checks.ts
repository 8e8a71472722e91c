import { clockByNeighbors } from './checks/clock-by-neighbors.js';
import { clockBySun } from './checks/clock-by-sun.js';
import { levelsBesideNeighbors } from './checks/levels-beside-neighbors.js';
import { lowVariability } from './checks/low-variability.js';
import { nightRadiation } from './checks/night-radiation.js';
import { extremeRain, steadyRain } from './checks/rain-alone.js';
import { rainMissing, rainRatio } from './checks/rain-beside-neighbors.js';
import { stuckCalm } from './checks/stuck-calm.js';
import { dailyStreak, unusualDay } from './checks/unusual-days.js';
import { unusualHours } from './checks/unusual-hours.js';
import type { NoticeCheck } from './notice-check.js';

/** All checks that find notices. A new check is a file in `checks/` and a line here. */
export const NOTICE_CHECKS: readonly NoticeCheck[] = [
  nightRadiation,
  clockBySun,
  clockByNeighbors,
  stuckCalm,
  lowVariability,
  levelsBesideNeighbors,
  rainMissing,
  rainRatio,
  steadyRain,
  extremeRain,
  unusualHours,
  unusualDay,
  dailyStreak,
];
