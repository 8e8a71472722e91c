/** The colors of a picture. */
export interface CardColors {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly temperature: string;
}

/** The colors of pictures by theme. They are the colors of `style/site.css`, because pictures have no style sheet. */
export const CARD_COLORS: Readonly<Record<'light' | 'dark', CardColors>> = {
  light: { paper: '#F7F5F1', ink: '#1B1D22', muted: '#5A606A', temperature: '#B3261E' },
  dark: { paper: '#121417', ink: '#ECEAE4', muted: '#A0A6B0', temperature: '#FF8A78' },
};
