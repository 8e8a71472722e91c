import type { CardColors } from './card-colors.js';
import { textLines } from './text-lines.js';

/** Size in pixels. Chats and social networks show pictures of this shape in full. */
export const CARD_SIZE = { width: 1200, height: 630 };
/** Left and right margin: some viewers cut off the edges. */
const MARGIN = 56;
/** Sizes of type in pixels. */
const [SMALL, MEDIUM, LARGE] = [28, 48, 144];
/** Left edge of the sentence beside the value. */
const SENTENCE = 440;

/** The texts of a picture. */
export interface CardTexts {
  readonly name: string;
  /** Name of the site. */
  readonly site: string;
  /** Date and time of the value. */
  readonly moment: string | undefined;
  readonly value: string | undefined;
  readonly unit: string;
  /** Facts about the value. */
  readonly sentence: string;
}

/** The picture of a station for links. */
export function Card({ texts, colors }: { readonly texts: CardTexts; readonly colors: CardColors }) {
  const { width, height } = CARD_SIZE;
  const { name, site, moment, value, unit, sentence } = texts;
  const right = width - MARGIN;
  const nameWidth = (right - MARGIN - (moment === undefined ? 0 : 340)) / SMALL;
  const [shownName = ''] = textLines(name, nameWidth / 1.05, 1);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      font-family="Open Sans"
      fill={colors.ink}
    >
      <rect width={width} height={height} fill={colors.paper} />
      <text x={MARGIN} y="76" font-size={SMALL} font-weight="600">
        {shownName}
      </text>
      {moment !== undefined && (
        <text x={right} y="76" font-size={SMALL} text-anchor="end" fill={colors.muted}>
          {moment}
        </text>
      )}
      {value === undefined ? (
        <Lines text={sentence} x={MARGIN} y={180} size={MEDIUM} width={right - MARGIN} count={3} />
      ) : (
        <>
          <text x={MARGIN} y="230" font-size={LARGE} font-weight="600">
            {value}
            <tspan dx="12" dy="-64" font-size={MEDIUM} font-weight="400" fill={colors.muted}>
              {unit}
            </tspan>
          </text>
          <Lines
            text={sentence}
            x={SENTENCE + 60}
            y={155}
            size={MEDIUM}
            width={right - SENTENCE - 60}
            count={3}
          />
        </>
      )}
      <text x={MARGIN} y={height - 40} font-size={SMALL} fill={colors.muted}>
        {site}
      </text>
    </svg>
  );
}

function Lines({
  text,
  x,
  y,
  size,
  width,
  count,
}: {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly width: number;
  readonly count: number;
}) {
  return (
    <text font-size={size}>
      {textLines(text, width / size, count).map((line, index) => (
        <tspan key={index} x={x} y={y + index * size * 1.25}>
          {line}
        </tspan>
      ))}
    </text>
  );
}
