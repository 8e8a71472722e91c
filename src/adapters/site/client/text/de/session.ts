import type { session as english } from '../en/session.js';

/** The German texts of the sign-in. */
export const session: typeof english = {
  user: 'Name oder E-Mail-Adresse',
  password: 'Passwort',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  cancel: 'Abbrechen',
  account: 'Ihr Konto',
  wrong: 'Der Name oder das Passwort ist falsch.',
  throttled: (wait) => `Zu viele falsche Passwörter. Nächster Versuch in ${wait}.`,
  seconds: (n) => `${n} s`,
  expired: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich noch einmal an.',
  off: 'Die Anmeldung ist abgeschaltet, oder die Verbindung hat kein TLS.',
};
