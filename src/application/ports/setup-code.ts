/** `none`: no code was made yet. `open`: a code waits for its use. `ended`: no code will be accepted until the next start. */
export type SetupState = 'none' | 'open' | 'ended';

/** The result of comparing a code. `wait`: for a wrong code, seconds until the next wrong code is recorded on its own. */
export type SetupGuess =
  | { readonly outcome: 'right' }
  | { readonly outcome: 'ended' }
  | { readonly outcome: 'wrong'; readonly wait: number };

/**
 * The one-time code with which a visitor of this machine creates the first administrator. The code belongs to the process that
 * started the service; other processes of the service ask this process.
 */
export interface SetupCode {
  state(): Promise<SetupState>;
  /** Makes a code valid, for an hour at most. Does nothing if the setup has ended. @param digest see `digestOf` */
  open(digest: string): Promise<void>;
  /** Compares a code. The right code stays valid, because creating the administrator may still fail. @param digest see `digestOf` */
  guess(digest: string): Promise<SetupGuess>;
  /** Ends the code for good. */
  end(): Promise<void>;
}
