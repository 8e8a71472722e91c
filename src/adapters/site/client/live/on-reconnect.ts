import { connection } from './connection.js';

/** Calls `returned` when the service can be reached again after an interruption. @returns a function that removes the listeners */
export function onReconnect(returned: () => void): () => void {
  let previousState = connection.peek().state;
  const end = connection.subscribe(({ state }) => {
    if (previousState === 'offline' && (state === 'live' || state === 'polling')) returned();
    previousState = state;
  });
  addEventListener('online', returned);
  return () => {
    end();
    removeEventListener('online', returned);
  };
}
