import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT, runCommandLine } from '#adapters/cli/program.js';
import { Terminal } from '#adapters/cli/terminal.js';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { UseCaseClass } from '#application/use-cases.js';
import * as tokens from '#composition/graph/tokens.js';
import type { ProcessResult } from './process.js';
import { UPLOAD_REACH, type World } from './world.js';

/**
 * Runs a command in this process on the data of a `World`, which has its stores in memory. The run takes a few milliseconds, but
 * a run in a new process would take half a second.
 */
export async function runIn(
  world: World,
  argv: readonly string[],
  reach: UploadReach = UPLOAD_REACH(),
): Promise<ProcessResult> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(output), text(errors)]);
  const terminal = new Terminal(Readable.from([]), output, errors);
  const unused = () => {
    throw new Error('This command uses a function that runIn() does not support.');
  };
  const context = {
    useCase: <T>(type: UseCaseClass<T>) => world.get<T>(type as never),
    calendar: world.get(tokens.Calendar),
    importLog: world.get(tokens.ImportLog),
    foreignFiles: { tables: unused, rows: unused },
    formats: world.get(tokens.ImportFormatList),
    location: 'the world',
    dataPaths: [],
    command: 'node bin/weatherd.mjs',
    isServed: false,
    uploads: { reach, machine: ['192.168.1.5'] },
  };
  const status = await runCommandLine(argv, {
    version: '0.0.0',
    terminal,
    serve: unused,
    describeConfig: unused,
    externalUrl: unused,
    doctor: unused,
    importFormats: () => Promise.resolve(context.formats),
    withContext: (_config, _requirement, work) => work(context),
    dataActions: () => ({
      assertNothingThere: unused,
      initialize: unused,
      backup: unused,
      restore: unused,
      copy: unused,
      compact: unused,
    }),
  }).catch((error: unknown) => {
    terminal.printError(`weatherd: ${(error as Error).message}`);
    return EXIT.failed;
  });
  output.end();
  errors.end();
  const [stdout, stderr] = await written;
  return { status: status ?? 0, stdout, stderr };
}
