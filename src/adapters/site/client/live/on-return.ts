import { connection } from './connection.js';

/** Calls `returned` when the service can be reached again after an interruption. @returns a function that removes the listeners */
export function onReturn(returned: () => void): () => void {
  let before = connection.peek().state;
  const end = connection.subscribe(({ state }) => {
    if (before === 'offline' && (state === 'live' || state === 'polling')) returned();
    before = state;
  });
  addEventListener('online', returned);
  return () => {
    end();
    removeEventListener('online', returned);
  };
}
