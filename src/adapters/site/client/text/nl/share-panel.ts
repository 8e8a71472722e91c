import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the dialog for sharing a station. */
export const sharePanel: Translation<Text['sharePanel']> = {
  titleOf: (name) => `${name} delen`,
  link: 'Link naar dit station',
  copy: 'Kopiëren',
  copied: 'Gekopieerd.',
  copyYourself: 'Geselecteerd: druk op Ctrl+C om te kopiëren.',
  qr: 'QR-code van de link',
  qrOf: (address) => `QR-code van ${address}`,
  picture: 'Als afbeelding opslaan',
  pictureNote: 'PNG, 1200 × 630',
  kiosk: 'Als kiosk openen',
  kioskNote: 'voor een scherm aan de muur, ’s nachts donker',
  embed: 'Kaart voor een andere site',
  size: 'Grootte in pixels',
  preview: 'Voorbeeld van de kaart',
  code: 'HTML voor de andere site',
  frameTitle: (name) => `Het weer bij ${name}`,
  notPublic:
    'Alleen aangemelde gebruikers zien dit station. Daarom heeft het geen kiosk en geen kaart voor andere sites.',
  close: 'Sluiten',
};
