import type { FileHead } from '../files/file-head.js';
import type { FilePlan } from '../files/file-plan.js';
import { type Answers, Questions } from '../files/questions.js';
import { aimsir17 } from './aimsir17.js';
import { dwdDaily } from './dwd-daily.js';
import { dwdPoi } from './dwd-poi.js';
import { dwd } from './dwd.js';
import { ecad } from './ecad.js';
import { ecccDaily } from './eccc-daily.js';
import { eccc } from './eccc.js';
import { ecowittFiles } from './ecowitt-files.js';
import { ghcnDaily } from './ghcn-daily.js';
import { ghcnh } from './ghcnh.js';
import { gsod } from './gsod.js';
import { homeAssistant } from './home-assistant.js';
import { isd } from './isd.js';
import { isdLite } from './isd-lite.js';
import type { ImportFormat } from './import-format.js';
import { knmiDaily } from './knmi-daily.js';
import { metEireann } from './met-eireann.js';
import { metar } from './metar.js';
import { meteofrance } from './meteofrance.js';
import { meteostatDaily } from './meteostat-daily.js';
import { meteostat } from './meteostat.js';
import { meteoswiss } from './meteoswiss.js';
import { midas } from './midas.js';
import { noaaLcd } from './noaa-lcd.js';
import { ambientFiles } from './ambient-files.js';
import { cumulus } from './cumulus.js';
import { cumulusDays } from './cumulus-days.js';
import { hobo } from './hobo.js';
import { toa5 } from './toa5.js';
import { ownJsonLines } from './own-json-lines.js';
import { ownParquet } from './own-parquet.js';
import { weatherUnderground } from './weather-underground.js';
import { weatherUndergroundJson } from './weather-underground-json.js';
import { weatherlinkCsv } from './weatherlink-csv.js';
import { weatherlinkText } from './weatherlink-text.js';
import { weewxFiles } from './weewx-files.js';
import { nycflights13 } from './nycflights13.js';
import { uscrnDaily } from './uscrn-daily.js';
import { uscrn } from './uscrn.js';
import { ndbc } from './ndbc.js';
import { surfrad } from './surfrad.js';
import { tmy3 } from './tmy3.js';
import { meteohub } from './meteohub.js';
import { netatmo } from './netatmo.js';
import { weatherUndergroundDays } from './weather-underground-days.js';

/** The import formats in the order in which `recognize` tries them. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  aimsir17,
  dwd,
  dwdPoi,
  eccc,
  ecowittFiles,
  ghcnDaily,
  ghcnh,
  homeAssistant,
  isd,
  isdLite,
  metar,
  metEireann,
  meteofrance,
  meteostat,
  meteoswiss,
  midas,
  noaaLcd,
  ambientFiles,
  cumulus,
  cumulusDays,
  hobo,
  toa5,
  weatherUnderground,
  weatherUndergroundJson,
  weatherlinkCsv,
  weatherlinkText,
  ownJsonLines,
  ownParquet,
  weewxFiles,
  nycflights13,
  uscrnDaily,
  uscrn,
  ndbc,
  surfrad,
  tmy3,
  meteohub,
  netatmo,
  weatherUndergroundDays,
  dwdDaily,
  ecccDaily,
  ecad,
  knmiDaily,
  meteostatDaily,
  gsod,
];

/** A plan with its import format. */
export interface Recognized {
  readonly importFormat: ImportFormat;
  readonly plan: FilePlan;
}

/**
 * Returns how a file is read (its plan), from the first import format that recognizes the file; undefined if no import format
 * does.
 */
export function recognize(
  head: FileHead,
  answers: Answers,
  formats: readonly ImportFormat[],
): Recognized | undefined {
  for (const importFormat of formats) {
    const questions = new Questions(answers);
    const plan = planOf(importFormat, head, questions);
    if (plan === undefined) continue;
    return { importFormat, plan: { title: importFormat.title, ...plan, questions: questions.open } };
  }
  return undefined;
}

/** @throws Error that names the import format, if it is from a package and has a defect */
function planOf(importFormat: ImportFormat, head: FileHead, questions: Questions) {
  try {
    return importFormat.recognize(head, questions);
  } catch (error) {
    const message = `The import format ${importFormat.name} has failed: ${(error as Error).message}`;
    throw new Error(message, { cause: error });
  }
}
