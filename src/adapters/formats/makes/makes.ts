import type { FileHead } from '../files/file-head.js';
import type { FilePlan } from '../files/file-plan.js';
import { type Answers, Questions } from '../files/questions.js';
import { aimsir17 } from './aimsir17.js';
import { dwdPoi } from './dwd-poi.js';
import { dwd } from './dwd.js';
import { eccc } from './eccc.js';
import { ecowitt } from './ecowitt.js';
import { ghcnDaily } from './ghcn-daily.js';
import { ghcnh } from './ghcnh.js';
import { homeAssistant } from './home-assistant.js';
import { isdLite } from './isd-lite.js';
import type { Make } from './make.js';
import { metEireann } from './met-eireann.js';
import { metar } from './metar.js';
import { meteofrance } from './meteofrance.js';
import { meteostat } from './meteostat.js';
import { meteoswiss } from './meteoswiss.js';
import { midas } from './midas.js';
import { noaaLcd } from './noaa-lcd.js';
import { ambient } from './ambient.js';
import { cumulus } from './cumulus.js';
import { hobo } from './hobo.js';
import { toa5 } from './toa5.js';
import { ownJsonLines } from './own-json-lines.js';
import { ownParquet } from './own-parquet.js';
import { weatherUnderground } from './weather-underground.js';
import { weatherUndergroundJson } from './weather-underground-json.js';
import { weatherlinkCsv } from './weatherlink-csv.js';
import { weatherlinkText } from './weatherlink-text.js';
import { weewx } from './weewx.js';
import { nycflights13 } from './nycflights13.js';
import { uscrnDaily } from './uscrn-daily.js';

/** The makes, in the order in which they are asked. */
export const MAKES: readonly Make[] = [
  aimsir17,
  dwd,
  dwdPoi,
  eccc,
  ecowitt,
  ghcnDaily,
  ghcnh,
  homeAssistant,
  isdLite,
  metar,
  metEireann,
  meteofrance,
  meteostat,
  meteoswiss,
  midas,
  noaaLcd,
  ambient,
  cumulus,
  hobo,
  toa5,
  weatherUnderground,
  weatherUndergroundJson,
  weatherlinkCsv,
  weatherlinkText,
  ownJsonLines,
  ownParquet,
  weewx,
  nycflights13,
  uscrnDaily,
];

/** A plan, and the make that it is of. */
export interface Recognised {
  readonly make: Make;
  readonly plan: FilePlan;
}

/** The plan of the first of `makes` that recognises a file. */
export function recognise(
  head: FileHead,
  answers: Answers,
  makes: readonly Make[] = MAKES,
): Recognised | undefined {
  for (const make of makes) {
    const questions = new Questions(answers);
    const plan = make.recognise(head, questions);
    if (plan !== undefined) return { make, plan: { title: make.title, ...plan, questions: questions.open } };
  }
  return undefined;
}
