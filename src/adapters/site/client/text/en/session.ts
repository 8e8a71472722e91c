/** Texts of signing in. */
export const session = {
  user: 'Name or email',
  password: 'Password',
  signIn: 'Sign in',
  signOut: 'Sign out',
  wrong: 'The name or the password is wrong.',
  /** The argument is a length of time such as `2 min`. */
  throttled: (wait: string) => `Too many wrong passwords. Try again in ${wait}.`,
  seconds: (n: number) => `${n} s`,
  expired: 'Your sign-in has expired. Sign in again.',
  off: 'Nobody can sign in to this service from here: sign-in is switched off, or the connection has no TLS.',
};
