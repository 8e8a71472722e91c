import type { session as english } from '../en/session.js';

export const session: typeof english = {
  user: 'Name oder E-Mail-Adresse',
  password: 'Passwort',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  wrong: 'Der Name oder das Passwort ist falsch.',
  throttled: (wait) => `Zu viele falsche Passwörter. Nächster Versuch in ${wait}.`,
  seconds: (n) => `${n} s`,
  expired: 'Die Anmeldung ist abgelaufen. Bitte noch einmal anmelden.',
  off: 'Von hier kann sich niemand anmelden: Die Anmeldung ist abgeschaltet, oder die Verbindung hat kein TLS.',
};
