import { expect } from 'chai';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Input } from '#adapters/http/core/input.js';

/** The signals of many reads for one response, as a page does them. */
function signalsOf(response: ServerResponse): readonly AbortSignal[] {
  const incoming = { message: response.req, response, params: {} };
  return Array.from({ length: 20 }, () => new Input(incoming, {}, {}, undefined, undefined).signal);
}

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

describe('Input', () => {
  it('has one listener on the response of a page that reads many endpoints', () => {
    const response = newResponse();
    const signals = signalsOf(response);
    expect(response.listenerCount('close')).to.equal(1);
    expect(signals.some(({ aborted }) => aborted)).to.equal(false);
    // The read gate gives each signal one permit.
    expect(new Set(signals).size).to.equal(signals.length);
    response.req.socket.destroy();
    response.emit('close');
    expect(signals.every(({ aborted }) => aborted)).to.equal(true);
    const [other] = signalsOf(newResponse());
    expect(other?.aborted).to.equal(false);
  });
});
