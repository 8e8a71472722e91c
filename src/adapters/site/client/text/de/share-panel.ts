import type { Text } from '../en.js';

/** The German texts of the dialog for sharing a station. */
export const sharePanel: Text['sharePanel'] = {
  titleOf: (name) => `${name} teilen`,
  link: 'Link zu dieser Station',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  copyYourself: 'Markiert: mit Strg+C kopieren.',
  qr: 'QR-Code des Links',
  qrOf: (address) => `QR-Code von ${address}`,
  picture: 'Als Bild speichern',
  pictureNote: 'PNG, 1200 × 630',
  kiosk: 'Als Anzeigetafel öffnen',
  kioskNote: 'für einen Bildschirm an der Wand, nachts dunkel',
  embed: 'Karte für eine andere Website',
  size: 'Größe in Pixeln',
  preview: 'Vorschau der Karte',
  code: 'HTML für die andere Website',
  frameTitle: (name) => `Wetter an der Station ${name}`,
  notPublic:
    'Nur angemeldete Benutzer sehen diese Station. Darum hat sie keine Anzeigetafel und keine Karte für andere Websites.',
  close: 'Schließen',
};
