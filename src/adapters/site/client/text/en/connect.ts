/** The English texts of "Connect a station". */
export const connect = {
  title: 'Connect a station',
  lead: 'Connect a console or a weather program. This page notices its first upload by itself.',
  change: 'Change',
  station: {
    title: 'Station',
    choose: 'Station',
    none: 'Choose a station',
    new: 'New station',
  },
  reach: {
    title: 'Uploads',
    off: 'The service does not accept uploads yet. Who may send?',
    states: {
      off: 'Off: the service accepts no uploads, and what consoles send meanwhile is lost.',
      loopback: 'This machine only: programs on the computer of the service, such as WeeWX, may send.',
      network:
        'The home network: consoles and every other device in your network may send. This port has no TLS, so do not forward it to the Internet.',
    },
    names: { off: 'Off', loopback: 'This machine only', network: 'Home network' },
    fixed: (source: string) => `The ${source} of the service sets this. It cannot be changed here.`,
    sources: { file: 'configuration file', environment: 'environment' } as Readonly<Record<string, string>>,
    port: (port: number) => `Uploads arrive at port ${port}.`,
  },
  make: {
    title: 'Console',
    other: 'Other',
    question: 'Which console or program do you have?',
    variant: 'Which of these?',
    davis: 'A Davis station sends through a program on a computer, or through a Meteobridge.',
    mqtt: 'Sensors behind an MQTT broker need no upload key. The settings WEATHERD_MQTT_URL and WEATHERD_MQTT_MAPPING of the service read them, as docs/mqtt.md describes.',
  },
  fields: {
    title: 'Fields',
    lead: (station: string) => `An upload key lets the console write to ${station}, and to nothing else.`,
    create: 'Create a key',
    needsStation: 'Choose a station and a console first.',
    once: (station: string) =>
      `Contains the key of ${station}. It is shown only now: create another key if it is lost.`,
    done: 'set, the key is stored',
    text: 'Text to copy',
  },
  light: {
    title: 'First upload',
    before: 'The light appears as soon as the console has a key.',
    states: { waiting: 'Waiting', refused: 'Refused', arrived: 'Arrived', connected: 'Connected' },
    since: (wait: string) => `for ${wait}, since the key exists`,
    /** @param minutes 0 for less than a minute */
    wait: (minutes: number, seconds: number) =>
      minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`,
    heard: 'Heard so far',
    nothing: 'Nothing with this key.',
    stranger: (count: number, sender: string) =>
      count === 1 ? `1 upload without a key from ${sender}` : `${count} uploads without a key from ${sender}`,
    mine: 'Is it yours?',
    unknownId: (count: number, sender: string, id: string) =>
      count === 1
        ? `1 upload with the unknown station id “${id}” from ${sender}`
        : `${count} uploads with the unknown station id “${id}” from ${sender}`,
    wrongKey: (count: number, sender: string) =>
      count === 1
        ? `1 upload with a wrong key from ${sender} was refused. Check the key in the console.`
        : `${count} uploads with a wrong key from ${sender} were refused. Check the key in the console.`,
    hintsTitle: 'If it stays like this',
    hints: [
      'Save the form in the app or on the console; the console then waits for one interval.',
      'Compare the path with what is on the console: every slash counts.',
      'The console and this service must be in the same network, and a firewall must not close the port.',
    ] as readonly string[],
    tryTitle: 'Try from this browser',
    tryLead:
      'Type the temperature outside. This browser sends it with the key, and it is stored. This tests the key, but not the way from the console.',
    tryLabel: 'Temperature now',
    trySend: 'Send',
    fromScript: 'A browser or a script sent this over the API. The console itself has not sent yet.',
    visitors: 'What visitors see:',
    close: 'You may close this page. The section Uploads shows the light too.',
    refused: 'The last upload with this key was refused:',
    lapsed: 'Your administrator rights have expired, so this page sees new values, but not who sends them.',
    resume: 'Show what was heard',
    arrived: (n: number) => (n === 1 ? '1 quantity arrived' : `${n} quantities arrived`),
    nothingStored: 'The upload was accepted, but it contained no value that is stored.',
    keep: 'Store them',
    toKnow: 'To know',
    leftOut: (fields: string) => `Came too and was left out: ${fields}.`,
    batteries: (names: string) => `Low battery: ${names}.`,
    firmware: (version: string) => `firmware ${version}`,
    open: (station: string) => `Open ${station}`,
    another: 'Connect another',
  },
};
