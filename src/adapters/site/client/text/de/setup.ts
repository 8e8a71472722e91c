import type { SetupText } from '../en/setup.js';

/** The German texts of the page on which the first administrator is created. */
export const setup: SetupText = {
  title: 'Verwalter anlegen',
  lead: 'Der Verwalter legt Stationen, Schlüssel und weitere Benutzer an. Wählen Sie einen Namen und ein Passwort.',
  code: 'Code',
  codeHint: 'Der Code ist das Ende der Adresse, die weatherd im Terminal gezeigt hat, nach „code=“.',
  name: 'Name',
  password: 'Passwort',
  passwordHint: 'Mindestens 8 Zeichen.',
  repeat: 'Passwort wiederholen',
  different: 'Die beiden Passwörter sind verschieden.',
  submit: 'Anlegen und anmelden',
  wrong: 'Der Code ist falsch. Öffnen Sie die Adresse, die weatherd beim letzten Start gezeigt hat.',
  ended: {
    closed: 'Hier kann jetzt kein Verwalter angelegt werden. Dafür gibt es drei mögliche Gründe:',
    exists:
      'Es gibt schon einen Verwalter. Melden Sie sich mit dem Namen und dem Passwort des Verwalters an.',
    over: 'Die Adresse wurde schon benutzt, oder sie ist älter als eine Stunde. Beenden Sie weatherd im Terminal und starten Sie es neu: Es zeigt dann eine neue Adresse.',
    elsewhere:
      'Der erste Verwalter kann nur in einem Browser auf dem Rechner des Dienstes angelegt werden, unter der Adresse, die weatherd im Terminal gezeigt hat. Auf einem anderen Rechner, hinter einem Proxy oder wenn weatherd ohne Terminal läuft, hilft der Befehl „weatherd user add NAME --administrator“.',
    signIn: 'Anmelden',
  },
};
