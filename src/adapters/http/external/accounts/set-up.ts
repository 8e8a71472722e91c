import { z } from 'zod';
import { MakeFirstAdministrator } from '#application/accounts/setup/make-first-administrator.js';
import { type AnyEndpoint, type EndpointCall, jsonEndpoint } from '../../core/endpoint.js';
import { ProtocolError } from '../../core/errors.js';
import type { ExternalContext, SetupAccess } from '../external-context.js';
import { passwordText, unicodeText } from './password.js';

const firstAdministrator = z.strictObject({
  code: z.string().max(64).describe('The code in the address that the service printed'),
  username: unicodeText().max(128),
  password: passwordText(),
});

const REPLY = z.strictObject({ username: z.string() });

export function setUpEndpoint({ useCase, setup }: ExternalContext): AnyEndpoint {
  const makeFirstAdministrator = useCase(MakeFirstAdministrator);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/setup',
    operationId: 'setUp',
    summary: 'Create the first administrator',
    description:
      'Works only on the machine of a service that listens on loopback and has no administrator. `npm start` prints an address ' +
      'with a one-time code, which ends after its use or after an hour. The page at this address sends the code here.',
    access: 'public',
    isSecret: true,
    body: {
      kind: 'json',
      schema: firstAdministrator,
      example: {
        code: '7Q3M-V0KX-2D9A-B8FN-C5HT-J1RS-6E',
        username: 'ada',
        password: 'correct horse battery staple',
      },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 201,
      message: 'The administrator may sign in.',
      schema: REPLY,
    },
    errors: [
      'REQUEST_INVALID',
      'SETUP_CODE_INVALID',
      'SETUP_NOT_LOCAL',
      'ORIGIN_NOT_ALLOWED',
      'ADMINISTRATOR_EXISTS',
      'USER_EXISTS',
      'SETUP_ENDED',
    ],
    call: async (request) => {
      assertLocal(request, setup);
      const { body, caller } = request;
      const { code, username: name, password } = body;
      return { username: await makeFirstAdministrator.execute({ code, name, password }, caller) };
    },
  });
}

/**
 * Refuses requests from other machines, and requests from pages of other origins in a browser on this machine. If such a page has
 * made its own host name resolve to this machine (DNS rebinding), the browser sends this host name as `Host`.
 *
 * @throws ProtocolError
 */
function assertLocal(
  { caller, headers, host }: Pick<EndpointCall<unknown, unknown, unknown>, 'caller' | 'headers' | 'host'>,
  setup: SetupAccess | undefined,
): void {
  if (setup === undefined || !setup.isLocal(caller.address, headers))
    throw new ProtocolError(
      'SETUP_NOT_LOCAL',
      'The first administrator can be created only on the machine of the service, without a proxy. Use "weatherd user add".',
    );
  const { origin } = headers;
  if (origin !== undefined && origin !== `${setup.scheme}://${host.toLowerCase()}`)
    throw new ProtocolError(
      'ORIGIN_NOT_ALLOWED',
      'Web pages of other origins may not create the administrator.',
    );
}
