import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Asks no other computer, for a new version or for anything else. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** The problems that the rules of redocly.yaml find in an OpenAPI document. @param file URL of the document */
export async function openApiProblems(file: URL): Promise<string[]> {
  const parameters = ['node_modules/@redocly/cli/bin/cli.js', 'lint', fileURLToPath(file)];
  const env = { ...process.env, ...OFFLINE };
  // The status is 1 if there are problems.
  const { stdout } = await promisify(execFile)(process.execPath, [...parameters, '--format=json'], {
    env,
  }).catch((error: { readonly stdout: string }) => error);
  const { problems } = JSON.parse(stdout) as {
    readonly problems: readonly {
      readonly ruleId: string;
      readonly message: string;
      readonly location: readonly { readonly pointer: string }[];
    }[];
  };
  return problems.map(({ ruleId, message, location }) => `${location[0]?.pointer}: ${message} (${ruleId})`);
}
