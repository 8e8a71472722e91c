import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the sign-in. */
export const session: Translation<Text['session']> = {
  user: 'Naam of e-mail',
  password: 'Wachtwoord',
  signIn: 'Aanmelden',
  signOut: 'Afmelden',
  cancel: 'Annuleren',
  account: 'Uw account',
  wrong: 'De naam of het wachtwoord is onjuist.',
  throttled: (wait) => `Te veel onjuiste wachtwoorden. Probeer het over ${wait} opnieuw.`,
  seconds: (n) => `${n} s`,
  expired: 'Uw sessie is verlopen. Meld u opnieuw aan.',
  off: 'Over deze verbinding kan niemand zich aanmelden: aanmelden is uitgeschakeld, of de verbinding gebruikt geen TLS.',
};
