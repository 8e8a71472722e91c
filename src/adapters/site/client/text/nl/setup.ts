import type { SetupText } from '../en/setup.js';

/** The Dutch texts of the page on which the first administrator is created. */
export const setup: SetupText = {
  title: 'Beheerder aanmaken',
  lead: 'De beheerder voegt stations, sleutels en andere gebruikers toe. Kies een naam en een wachtwoord.',
  code: 'Code',
  codeHint: 'De code is het einde van het adres dat weatherd in de terminal heeft getoond, na “code=”.',
  name: 'Naam',
  password: 'Wachtwoord',
  passwordHint: 'Minstens 8 tekens.',
  repeat: 'Wachtwoord herhalen',
  different: 'De twee wachtwoorden zijn verschillend.',
  submit: 'Aanmaken en aanmelden',
  wrong: 'De code is onjuist. Open het adres dat weatherd bij de laatste start heeft getoond.',
  ended: {
    closed: 'Hier kan nu geen beheerder worden aangemaakt. Daarvoor zijn drie redenen mogelijk:',
    exists: 'Er is al een beheerder. Meld u aan met de naam en het wachtwoord van de beheerder.',
    over: 'Het adres is al gebruikt, of het is ouder dan een uur. Stop weatherd in de terminal en start het opnieuw: het toont dan een nieuw adres.',
    elsewhere:
      'De eerste beheerder kan alleen worden aangemaakt in een browser op de machine van de dienst, op het adres dat weatherd in de terminal heeft getoond. Gebruik op een andere machine, achter een proxy of als weatherd zonder terminal draait de opdracht “weatherd user add NAAM --administrator”.',
    signIn: 'Aanmelden',
  },
};
