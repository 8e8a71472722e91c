import type { connect as english } from '../en/connect.js';

/** The German texts of "Connect a station". */
export const connect: typeof english = {
  title: 'Station verbinden',
  lead: 'Verbinden Sie eine Konsole oder ein Wetterprogramm. Diese Seite bemerkt die erste Sendung von selbst.',
  change: 'Ändern',
  station: {
    title: 'Station',
    choose: 'Station',
    none: 'Station wählen',
    new: 'Neue Station',
  },
  reach: {
    title: 'Sendungen',
    off: 'Der Dienst nimmt noch keine Sendungen an. Wer darf senden?',
    states: {
      off: 'Aus: Der Dienst nimmt keine Sendungen an. Was Konsolen in dieser Zeit senden, geht verloren.',
      loopback: 'Nur dieser Rechner: Programme auf dem Rechner des Dienstes, etwa WeeWX, dürfen senden.',
      network:
        'Das Heimnetz: Konsolen und alle anderen Geräte in Ihrem Netz dürfen senden. Dieser Port hat kein TLS; geben Sie ihn nicht für das Internet frei.',
    },
    names: { off: 'Aus', loopback: 'Nur dieser Rechner', network: 'Heimnetz' },
    fixed: (source) => `Das legt die ${source} des Dienstes fest. Hier lässt es sich nicht ändern.`,
    sources: { file: 'Konfigurationsdatei', environment: 'Umgebung' },
    port: (port) => `Sendungen kommen an Port ${port} an.`,
  },
  make: {
    title: 'Konsole',
    other: 'Andere',
    question: 'Welche Konsole oder welches Programm haben Sie?',
    variant: 'Welche davon?',
    davis: 'Eine Davis-Station sendet über ein Programm auf einem Rechner oder über eine Meteobridge.',
    mqtt: 'Sensoren hinter einem MQTT-Broker brauchen keinen Schlüssel. Die Einstellungen WEATHERD_MQTT_URL und WEATHERD_MQTT_MAPPING des Dienstes lesen sie; docs/mqtt.md beschreibt das.',
  },
  fields: {
    title: 'Felder',
    lead: (station) =>
      `Mit einem Schlüssel darf die Konsole Werte von ${station} schreiben, und sonst nichts.`,
    create: 'Schlüssel erzeugen',
    needsStation: 'Wählen Sie zuerst eine Station und eine Konsole.',
    once: (station) =>
      `Enthält den Schlüssel von ${station}. Er wird nur jetzt gezeigt: Erzeugen Sie einen anderen, wenn er verloren geht.`,
    done: 'eingestellt, der Schlüssel ist gespeichert',
    text: 'Text zum Kopieren',
  },
  light: {
    title: 'Erste Sendung',
    before: 'Das Licht erscheint, sobald die Konsole einen Schlüssel hat.',
    states: { waiting: 'Warten', refused: 'Abgelehnt', arrived: 'Angekommen', connected: 'Verbunden' },
    since: (wait) => `seit ${wait}, seit es den Schlüssel gibt`,
    wait: (minutes, seconds) => (minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`),
    heard: 'Bisher gehört',
    nothing: 'Nichts mit diesem Schlüssel.',
    stranger: (count, sender) =>
      count === 1
        ? `1 Sendung ohne Schlüssel von ${sender}`
        : `${count} Sendungen ohne Schlüssel von ${sender}`,
    mine: 'Ist das Ihre?',
    unknownId: (count, sender, id) =>
      count === 1
        ? `1 Sendung mit der unbekannten Kennung „${id}“ von ${sender}`
        : `${count} Sendungen mit der unbekannten Kennung „${id}“ von ${sender}`,
    wrongKey: (count, sender) =>
      count === 1
        ? `1 Sendung mit falschem Schlüssel von ${sender} wurde abgelehnt. Prüfen Sie den Schlüssel in der Konsole.`
        : `${count} Sendungen mit falschem Schlüssel von ${sender} wurden abgelehnt. Prüfen Sie den Schlüssel in der Konsole.`,
    hintsTitle: 'Wenn es so bleibt',
    hints: [
      'Speichern Sie das Formular in der App oder an der Konsole; die Konsole wartet dann einen Abstand lang.',
      'Vergleichen Sie den Pfad mit dem auf der Konsole: Jeder Schrägstrich zählt.',
      'Konsole und Dienst müssen im selben Netz sein, und keine Firewall darf den Port sperren.',
    ],
    tryTitle: 'Von diesem Browser aus versuchen',
    tryLead:
      'Geben Sie die Temperatur draußen ein. Dieser Browser sendet sie mit dem Schlüssel, und sie wird gespeichert. Das prüft den Schlüssel, aber nicht den Weg von der Konsole.',
    tryLabel: 'Temperatur jetzt',
    trySend: 'Senden',
    fromScript:
      'Ein Browser oder ein Skript hat das über die API gesendet. Die Konsole selbst hat noch nichts gesendet.',
    visitors: 'Das sehen Besucher:',
    close: 'Sie können diese Seite schließen. Der Abschnitt Sendungen zeigt das Licht auch.',
    refused: 'Die letzte Sendung mit diesem Schlüssel wurde abgelehnt:',
    lapsed:
      'Ihre Rechte als Administrator sind abgelaufen. Diese Seite sieht deshalb neue Werte, aber nicht, wer sie sendet.',
    resume: 'Zeigen, was gehört wurde',
    arrived: (n) => (n === 1 ? '1 Größe ist angekommen' : `${n} Größen sind angekommen`),
    nothingStored: 'Die Sendung wurde angenommen, enthielt aber keinen Wert, der gespeichert wird.',
    keep: 'Speichern',
    toKnow: 'Gut zu wissen',
    leftOut: (fields) => `Kam auch und wurde weggelassen: ${fields}.`,
    batteries: (names) => `Batterie schwach: ${names}.`,
    firmware: (version) => `Firmware ${version}`,
    open: (station) => `${station} öffnen`,
    another: 'Weitere verbinden',
  },
};
