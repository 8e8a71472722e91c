import type { connect as english } from '../en/connect.js';

/** The Dutch texts of "Connect a station". */
export const connect: typeof english = {
  title: 'Station aansluiten',
  lead: 'Sluit een console of een weerprogramma aan. Deze pagina merkt de eerste upload vanzelf op.',
  change: 'Wijzigen',
  station: {
    title: 'Station',
    choose: 'Station',
    none: 'Kies een station',
    new: 'Nieuw station',
  },
  reach: {
    title: 'Uploads',
    off: 'De dienst neemt nog geen uploads aan. Wie mag verzenden?',
    states: {
      off: 'Uit: de dienst neemt geen uploads aan. Wat consoles intussen verzenden, gaat verloren.',
      loopback:
        "Alleen deze computer: programma's op de computer van de dienst, zoals WeeWX, mogen verzenden.",
      network:
        'Het thuisnetwerk: consoles en alle andere apparaten in uw netwerk mogen verzenden. Deze poort heeft geen TLS; stel haar niet open voor het internet.',
    },
    names: { off: 'Uit', loopback: 'Alleen deze computer', network: 'Thuisnetwerk' },
    fixed: (source) => `Dit staat vast door ${source} van de dienst. Hier kan het niet worden gewijzigd.`,
    sources: { file: 'het configuratiebestand', environment: 'de omgeving' },
    port: (port) => `Uploads komen binnen op poort ${port}.`,
  },
  make: {
    title: 'Console',
    other: 'Andere',
    question: 'Welke console of welk programma hebt u?',
    variant: 'Welke hiervan?',
    davis: 'Een Davis-station verzendt via een programma op een computer, of via een Meteobridge.',
    mqtt: 'Sensoren achter een MQTT-broker hebben geen sleutel nodig. De instellingen WEATHERD_MQTT_URL en WEATHERD_MQTT_MAPPING van de dienst lezen ze; docs/mqtt.md beschrijft dat.',
  },
  fields: {
    title: 'Velden',
    lead: (station) => `Met een sleutel mag de console waarden van ${station} schrijven, en verder niets.`,
    create: 'Sleutel maken',
    needsStation: 'Kies eerst een station en een console.',
    once: (station) =>
      `Bevat de sleutel van ${station}. Die wordt alleen nu getoond: maak een andere als hij kwijtraakt.`,
    done: 'ingesteld, de sleutel is opgeslagen',
    text: 'Tekst om te kopiëren',
  },
  light: {
    title: 'Eerste upload',
    before: 'Het lampje verschijnt zodra de console een sleutel heeft.',
    states: { waiting: 'Wachten', refused: 'Geweigerd', arrived: 'Aangekomen', connected: 'Verbonden' },
    since: (wait) => `al ${wait}, sinds de sleutel bestaat`,
    wait: (minutes, seconds) => (minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`),
    heard: 'Tot nu toe gehoord',
    nothing: 'Niets met deze sleutel.',
    stranger: (count, sender) =>
      count === 1 ? `1 upload zonder sleutel van ${sender}` : `${count} uploads zonder sleutel van ${sender}`,
    mine: 'Is die van u?',
    unknownId: (count, sender, id) =>
      count === 1
        ? `1 upload met de onbekende stations-id “${id}” van ${sender}`
        : `${count} uploads met de onbekende stations-id “${id}” van ${sender}`,
    wrongKey: (count, sender) =>
      count === 1
        ? `1 upload met een verkeerde sleutel van ${sender} is geweigerd. Controleer de sleutel in de console.`
        : `${count} uploads met een verkeerde sleutel van ${sender} zijn geweigerd. Controleer de sleutel in de console.`,
    hintsTitle: 'Als het zo blijft',
    hints: [
      'Sla het formulier op in de app of op de console; de console wacht dan één interval.',
      'Vergelijk het pad met dat op de console: elke schuine streep telt.',
      'Console en dienst moeten in hetzelfde netwerk zijn, en geen firewall mag de poort blokkeren.',
    ],
    tryTitle: 'Vanuit deze browser proberen',
    tryLead:
      'Typ de temperatuur buiten. Deze browser stuurt die met de sleutel, en de waarde wordt opgeslagen. Dit test de sleutel, maar niet de weg vanaf de console.',
    tryLabel: 'Temperatuur nu',
    trySend: 'Sturen',
    fromScript:
      'Een browser of een script heeft dit via de API gestuurd. De console zelf heeft nog niets gestuurd.',
    visitors: 'Dit zien bezoekers:',
    close: 'U mag deze pagina sluiten. Het onderdeel Uploads toont het lampje ook.',
    refused: 'De laatste upload met deze sleutel is geweigerd:',
    lapsed:
      'Uw beheerdersrechten zijn verlopen. Deze pagina ziet daarom nieuwe waarden, maar niet wie ze verzendt.',
    resume: 'Toon wat is gehoord',
    arrived: (n) => (n === 1 ? '1 grootheid is aangekomen' : `${n} grootheden zijn aangekomen`),
    nothingStored: 'De upload is aangenomen, maar bevatte geen waarde die wordt opgeslagen.',
    keep: 'Opslaan',
    toKnow: 'Goed om te weten',
    leftOut: (fields) => `Kwam ook mee en is weggelaten: ${fields}.`,
    batteries: (names) => `Batterij bijna leeg: ${names}.`,
    firmware: (version) => `firmware ${version}`,
    open: (station) => `${station} openen`,
    another: 'Nog een aansluiten',
  },
};
