/** The English texts of the sign-in. */
export const session = {
  user: 'Name or email',
  password: 'Password',
  signIn: 'Sign in',
  signOut: 'Sign out',
  cancel: 'Cancel',
  /** The page of a user who is no administrator. */
  account: 'Your account',
  wrong: 'The name or the password is wrong.',
  /** @param wait a duration such as `2 min` */
  throttled: (wait: string) => `Too many wrong passwords. Try again in ${wait}.`,
  seconds: (n: number) => `${n} s`,
  expired: 'Your session has expired. Sign in again.',
  off: 'Nobody can sign in over this connection: sign-in is disabled, or the connection does not use TLS.',
};
