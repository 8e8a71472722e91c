import { type AdminText, admin as english } from '../en/admin.js';
import { translated } from '../translated.js';
import { connect } from './connect.js';

/** The Dutch texts of the administration. */
export const admin: AdminText = translated(english, {
  connect,
  title: 'Beheer',
  signIn: 'Meld u aan om te zien wat van u is. Alleen een beheerder kan iets wijzigen.',
  notAdministrator: (user) =>
    `U bent aangemeld als ${user}. U ziet alle stations, ook verborgen stations; alleen een beheerder kan ze wijzigen.`,
  sections: {
    connect: connect.title,
    stations: 'Stations',
    users: 'Gebruikers',
    sources: 'Bronnen',
    forecasts: 'Verwachtingen',
    sensors: 'Sensoren',
    keys: 'Uploadsleutels',
    uploads: 'Uploads',
    imports: 'Import',
    health: 'Toestand',
    quality: 'Kwaliteit',
    retention: 'Bewaartermijn',
    mappings: 'Velden',
    alarms: 'Alarmen',
    hooks: 'Hooks',
    sessions: 'Sessies',
    audit: 'Logboek',
    backups: 'Back-ups',
  },
  groups: {
    data: 'Gegevens',
    receiving: 'Ontvangen',
    sending: 'Verzenden',
    people: 'Personen',
    service: 'Dienst',
  },
  save: 'Opslaan',
  cancel: 'Annuleren',
  close: 'Sluiten',
  change: 'Wijzigen',
  remove: 'Verwijderen',
  more: 'Meer',
  reload: 'Vernieuwen',
  idsHint: 'Id’s met komma’s ertussen, of * voor alle stations.',
  notRead: 'De lijst is niet gelezen, omdat het wachtwoord niet is ingevoerd.',
  elevation: {
    title: 'Wachtwoord nodig',
    reason: (user) => `Typ het wachtwoord van ${user} om iets te wijzigen.`,
    ended: (user) =>
      `Uw sessie is beëindigd. Typ het wachtwoord van ${user} om door te gaan. Wat u hebt ingevuld, blijft bewaard.`,
    submit: 'Doorgaan',
  },
  answers: { yes: 'ja', no: 'nee' },
  conflict: {
    title: 'Intussen gewijzigd',
    reason:
      'Iemand anders heeft wijzigingen opgeslagen sinds u het formulier hebt geopend. Kies voor elk veld een waarde en sla op.',
    mine: 'Mijn waarde houden',
    theirs: 'Opgeslagen waarde nemen',
  },
  place: {
    chosen: 'Gekozen plaats',
    mine: 'Mijn plaats gebruiken',
    map: 'Op de kaart kiezen',
    locating: 'Het apparaat zoekt zijn plaats …',
    denied:
      'De browser geeft de plaats niet. Sta het toe in de instellingen van de browser, of typ de plaats.',
    unknown: 'Het apparaat kent zijn plaats niet. Typ de plaats, of kies haar op de kaart.',
  },
  stations: {
    moreFields: 'Meer instellingen',
    mayWrite: 'u mag waarnemingen schrijven',
    add: 'Station toevoegen',
    changeOf: (name) => `${name} wijzigen`,
    search: 'Zoeken op naam of id',
    find: 'Zoeken',
    none: 'Er is geen station gevonden.',
    columns: { name: 'Naam', id: 'Id', zone: 'Tijdzone', actions: 'Acties' },
    exists: (id) => `Het station ${id} bestaat al. Kies een andere id, of wijzig dat station.`,
    removeQuestion: (name) =>
      `${name} met de metingen verwijderen? Het station verdwijnt meteen. U kunt het 30 dagen lang herstellen; daarna wordt het definitief gewist.`,
    removed: (id) => `Het station ${id} is verwijderd.`,
    restore: 'Herstellen',
    restoreTitle: 'Een verwijderd station herstellen',
    wrongLine: (line) => `De regel “${line}” is ongeldig. Schrijf een grootheid en de getallen ervan.`,
    noneRemoved: 'In de laatste 30 dagen is er geen verwijderd.',
    removedAt: 'verwijderd op',
    further: 'Verdere instellingen',
    fields: {
      id: 'Id',
      name: 'Naam',
      latitude: 'Breedtegraad (° noord)',
      longitude: 'Lengtegraad (° oost)',
      elevation: 'Hoogte (m boven zeeniveau)',
      time_zone: 'Tijdzone',
      reporting_interval: 'Meetinterval (s)',
      sensor_heights: 'Hoogte van de sensoren (m boven de grond)',
      limits: 'Grenzen van de waarden',
      visibility: 'Verborgen: alleen aangemelde gebruikers zien het station',
      position_decimals: 'Decimalen van de openbare positie',
      identifiers: 'Andere kenmerken',
      steps: 'Grootste aannemelijke veranderingen',
      persistence: 'Langste tijd zonder verandering (s)',
      cell_methods: 'Waarden van een tijdstip of een periode',
      stamp_interval: 'Periode waarvan het begin wordt gestuurd (s)',
      daily_observation_time: 'Aflezingstijd (HH:MM)',
      since: 'Verplaatst op',
    },
    hints: {
      identifiers: 'Eén per regel, bijvoorbeeld: icao ENGM',
      steps:
        'Eén grootheid per regel met de verandering per minuut en per uur, bijvoorbeeld: air_temperature 3 10',
      persistence: 'Eén grootheid per regel, bijvoorbeeld: wind_speed 43200',
      cell_methods:
        'Eén grootheid per regel met point (tijdstip) of interval (periode), bijvoorbeeld: wind_speed point',
      stamp_interval:
        'Alleen als het station het begin van elke periode als tijd stuurt. Laat het veld leeg als het station het einde stuurt.',
      id: 'De id is deel van URL’s en kan later niet worden gewijzigd.',
      time_zone: 'Een naam zoals Europe/Oslo, of een verschil met UTC zoals +01:00.',
      reporting_interval: 'Tijd tussen twee metingen. Laat leeg als die wisselt.',
      sensor_heights: 'Een grootheid per regel, bijvoorbeeld: wind_speed 10',
      limits:
        'Waarden buiten de grenzen worden afgekeurd. Een grootheid per regel met minimum en maximum, bijvoorbeeld: air_temperature -40 50',
      position_decimals:
        'Bezoekers zien de positie afgerond op dit aantal decimalen van een graad: 1 is een vak van 11 km, 2 een vak van 1,1 km. Laat leeg om de exacte positie te tonen.',
      since:
        'Alleen als het station is verplaatst: eerdere waarden houden de huidige positie. Laat leeg om een fout te verbeteren.',
    },
  },
  users: {
    add: 'Gebruiker toevoegen',
    changeOf: (name) => `${name} wijzigen`,
    columns: {
      name: 'Naam',
      email: 'E-mail',
      enabled: 'Aanmelden',
      role: 'Rol',
      stations: 'Mag schrijven',
      actions: 'Acties',
    },
    states: {
      enabled: 'toegestaan',
      disabled: 'uitgeschakeld',
      administrator: 'beheerder',
      user: 'gebruiker',
      all: 'alle stations',
    },
    fields: {
      name: 'Naam',
      email: 'E-mail',
      password: 'Wachtwoord',
      stations: 'Stations waarnaar de gebruiker mag schrijven',
      administrator: 'Beheerder: mag alles wijzigen',
      enabled: 'Mag zich aanmelden',
    },
    hints: {
      password: 'Laat leeg om het huidige wachtwoord te houden.',
    },
    exists: (name) => `De gebruiker ${name} bestaat al. Kies een andere naam of wijzig die gebruiker.`,
    removeQuestion: (name) =>
      `${name} definitief verwijderen? Alle sessies van de gebruiker eindigen meteen. Metingen die de gebruiker heeft geschreven, blijven.`,
    sessionsQuestion: (name) => `Dit beëindigt alle sessies van ${name}. Doorgaan?`,
  },
  keys: {
    add: 'Sleutel toevoegen',
    station: 'Station',
    note: 'Notitie',
    noteHint: 'Voor eigen gebruik, bijvoorbeeld de plaats van de console.',
    none: 'Er zijn nog geen uploadsleutels.',
    columns: {
      number: 'Nummer',
      station: 'Station',
      note: 'Notitie',
      since: 'Geheim sinds',
      actions: 'Acties',
    },
    stationRemoved: 'verwijderd station',
    weak: 'zwak: goedgekeurd zonder getypte sleutel',
    previousUntil: 'het vorige geheim is geldig tot',
    rotate: 'Geheim vervangen',
    rotateQuestion: (number) =>
      `Het geheim van sleutel ${number} vervangen? Het huidige geheim wordt nog zeven dagen aanvaard. Typ het nieuwe geheim vóór die tijd in de console.`,
    withoutRain: 'neerslag wordt niet opgeslagen',
    storeRain: 'Neerslag opslaan',
    leaveRainOut: 'Neerslag niet meer opslaan',
    rainQuestion: (number, stores) =>
      stores
        ? `De neerslag opslaan die met sleutel ${number} wordt gestuurd? Als een andere sleutel van het station ook neerslag opslaat, telt de neerslag dubbel.`
        : `De neerslag die met sleutel ${number} wordt gestuurd, niet meer opslaan?`,
    revoke: 'Intrekken',
    revokeQuestion: (number) =>
      `Sleutel ${number} definitief intrekken? De console kan dan niet meer sturen. Waarden die al zijn gestuurd, blijven.`,
    made: (number) => `Geheim van sleutel ${number}`,
    once: 'Het geheim wordt alleen nu getoond. Kies de console of het programma dat het gebruikt:',
    form: {
      protocol: 'Protocol',
      server: 'Server',
      path: 'Pad',
      port: 'Poort',
      id: 'Id van het station',
      password: 'Sleutel of wachtwoord',
      interval: 'Interval (s)',
    },
  },
  uploads: {
    ofKeys: 'Uploads per sleutel',
    keyOf: (number) => `Sleutel ${number}`,
    lastSuccess: 'Laatst aanvaard:',
    lastError: 'Laatst geweigerd:',
    counts: 'Uploads',
    countsOf: ({ stored, unchanged, refused }) =>
      `${stored} opgeslagen, ${unchanged} ongewijzigd, ${refused} geweigerd`,
    sender: 'Afzender',
    batteries: 'Batterijen',
    unmapped: 'Velden die niet worden opgeslagen',
    usesPrevious: 'De console stuurt nog het vorige geheim. Typ het nieuwe geheim in de console.',
    clock: (seconds) => `De klok van de console loopt ${seconds} s verkeerd.`,
  },
  pending: {
    title: 'Consoles zonder geldige sleutel',
    none: 'Geen console heeft de laatste dag zonder geldige sleutel gegevens gestuurd.',
    seen: (count) => (count === 1 ? '1 upload, om' : `${count} uploads, de laatste om`),
    station: 'Station',
    note: 'Notitie',
    weak: 'Een goedgekeurde console wordt herkend aan een kenmerk dat anderen kunnen weten. Een sleutel die u in de console typt, is veiliger.',
    approve: 'Goedkeuren',
    newStation: 'Een station voor deze console toevoegen',
    approved: (station) => `De console is goedgekeurd. De waarden worden voortaan bij ${station} opgeslagen.`,
    notApprovable:
      'Deze console stuurt niets dat haar van andere consoles onderscheidt. Voeg een uploadsleutel toe en typ die in de console.',
    wrongKey: (station) =>
      station === null
        ? 'Deze console stuurt een verkeerde sleutel. Controleer de sleutel in de console.'
        : `Deze console stuurt de id van het station ${station} met een verkeerde sleutel. Controleer de sleutel in de console.`,
  },
  health: {
    columns: { name: 'Controle', state: 'Toestand', since: 'Sinds', detail: 'Details' },
    states: { ok: 'in orde', degraded: 'verstoord', failed: 'mislukt' },
  },
});
