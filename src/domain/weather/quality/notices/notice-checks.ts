import { clockByNeighbors } from './checks/clock-by-neighbors.js';
import { clockBySun } from './checks/clock-by-sun.js';
import { contradictoryDays } from './checks/contradictory-days.js';
import { dailyStreak, frequentRain } from './checks/daily-streaks.js';
import { rainOfDayBesideNeighbors, temperatureOfDayBesideNeighbors } from './checks/days-beside-neighbors.js';
import { levelsBesideNeighbors } from './checks/levels-beside-neighbors.js';
import { lowVariabilityAlone } from './checks/low-variability-alone.js';
import { lowVariability } from './checks/low-variability.js';
import { nightRadiation } from './checks/night-radiation.js';
import { extremeRain, steadyRain } from './checks/rain-alone.js';
import { rainMissing } from './checks/rain-missing.js';
import { rainRatio } from './checks/rain-ratio.js';
import { stuckCalm } from './checks/stuck-calm.js';
import { unusualDay } from './checks/unusual-days.js';
import { unusualHours } from './checks/unusual-hours.js';
import { unusualRainDay } from './checks/unusual-rain-days.js';
import type { NoticeCheck } from './notice-check.js';

/** All checks that find notices. A new check is a file in `checks/` and a line here. */
export const NOTICE_CHECKS: readonly NoticeCheck[] = [
  nightRadiation,
  clockBySun,
  clockByNeighbors,
  stuckCalm,
  lowVariability,
  lowVariabilityAlone,
  levelsBesideNeighbors,
  rainMissing,
  rainRatio,
  steadyRain,
  extremeRain,
  unusualHours,
  unusualDay,
  unusualRainDay,
  dailyStreak,
  frequentRain,
  contradictoryDays,
  temperatureOfDayBesideNeighbors,
  rainOfDayBesideNeighbors,
];
