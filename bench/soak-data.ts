import { execFileSync } from 'node:child_process';
import { AddUser } from '#application/accounts/users/add-user.js';
import { PutStations } from '#application/stations/put-stations.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { loadConfig } from '#composition/config.js';
import { openApplication } from '#composition/container.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { makeStations } from './weather-data.js';

const STATIONS = 20;

/**
 * Prepares the data of `soak.ts`: the data of `weatherd demo`, stations with upload keys, and an administrator `ada`.
 *
 * @param main path of the program of the service
 */
export async function prepareSoak(main: string, environment: Readonly<Record<string, string>>) {
  execFileSync(process.execPath, [main, 'demo'], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  const application = await openApplication(loadConfig(undefined, environment), () => undefined);
  const password = 'a password for the benchmark';
  const ada = { name: 'ada', email: null, password, administrator: true };
  await application.useCase(AddUser).execute(ada, COMMAND_LINE);
  const stations = makeStations(STATIONS);
  await application.useCase(PutStations).execute(stations, COMMAND_LINE);
  const keys: string[] = [];
  const add = application.useCase(AddUploadKey);
  for (const { id } of stations) keys.push((await add.execute({ station: id }, COMMAND_LINE)).secret);
  await application.close();
  return { keys, password };
}
