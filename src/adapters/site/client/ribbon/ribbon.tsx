import type { ComponentChildren } from 'preact';
import { type Paint, pagePaint } from './paint.js';
import type { RibbonModel } from './ribbon-model.js';
import type { Stop } from './ground.js';

/** Height of a barb of `windBarb`. */
const BARB = 20;

/**
 * Draws the picture of the last hours. All colors come from `paint`, so that the same component draws pages and images.
 *
 * @param id distinguishes the gradients of several pictures in a document
 */
export function Ribbon({
  model,
  id,
  paint = pagePaint,
  children,
}: {
  readonly model: RibbonModel;
  readonly id: string;
  readonly paint?: Paint;
  /** Shapes over the picture, such as a cursor. */
  readonly children?: ComponentChildren;
}) {
  const { box, plot, rows } = model;
  const em = box.type;
  const dot = em / 4;
  const ground = { x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top };
  return (
    <svg
      viewBox={`0 0 ${box.width} ${box.height}`}
      width={box.width}
      height={box.height}
      font-size={em}
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <defs>
        <Gradient id={`${id}-dusk`} stops={model.ground.dusk} color={paint.color('dusk')} />
        <Gradient id={`${id}-day`} stops={model.ground.day} color={paint.color('day')} />
      </defs>
      <rect {...ground} {...paint('night')} />
      <rect {...ground} fill={`url(#${id}-dusk)`} />
      <rect {...ground} fill={`url(#${id}-day)`} />
      {model.midnights.map((x) => (
        <path key={x} d={`M${Math.round(x) + 0.5} ${plot.top}V${plot.bottom}`} {...paint('midnight')} />
      ))}
      {model.usual !== undefined && <path d={model.usual.band} {...paint('usual')} />}
      {model.forecast !== undefined && <path d={model.forecast.band} {...paint('forecastBand')} />}
      {model.grid.map(({ y, label, isFreezing }) => (
        <path
          key={label}
          d={`M${plot.left} ${y + 0.5}H${plot.right}`}
          {...paint(isFreezing ? 'freezing' : 'grid')}
        />
      ))}
      {box.gutter > 0 && (
        <g {...paint('text')} text-anchor="end">
          {model.grid.map(({ y, label, isFreezing }) => (
            <text key={label} x={plot.left - em / 2} y={y + em * 0.35} {...(isFreezing && paint('label'))}>
              {label}
            </text>
          ))}
          {model.axisNames.map(({ y, text }) => (
            <text key={text} x={plot.left - em / 2} y={y}>
              {text}
            </text>
          ))}
        </g>
      )}
      {model.usual !== undefined && <path d={model.usual.line} {...paint('median')} />}
      {model.lastYear !== undefined && <path d={model.lastYear} {...paint('lastYear')} />}
      {(['rain', 'forecastRain'] as const).map((role, index) => (
        <g key={role} {...paint(role)}>
          {(index === 0 ? model.bars : model.forecastBars).map(({ x, y, width, height }) => (
            <rect key={x} x={x} y={y} width={width} height={height} />
          ))}
        </g>
      ))}
      <path d={`M${plot.left} ${plot.bottom - 0.5}H${plot.right}`} {...paint('freezing')} />
      <g {...paint('text')}>
        {model.words.map(({ text, x, y }) => (
          <text key={text} x={x} y={y}>
            {text}
          </text>
        ))}
      </g>
      {model.forecast !== undefined && <path d={model.forecast.line} {...paint('forecast')} />}
      <path d={model.temperature} {...paint('temperature')} />
      <g {...paint('doubtful')}>
        {model.doubtful.map((path) => (
          <path key={path} d={path} />
        ))}
      </g>
      <g {...paint('dot')}>
        {model.extremes.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={dot} />
        ))}
      </g>
      <g {...paint('sun')}>
        {model.suns.map(({ x, isRise }) => (
          <path key={x} d={caret(x, model.headBaseline - em * 0.35, em * 0.28, isRise)} />
        ))}
      </g>
      <g {...paint('text')}>
        {model.suns.map(({ x, text }) => (
          <text key={x} x={x + em * 0.5} y={model.headBaseline}>
            {text}
          </text>
        ))}
      </g>
      <g {...paint('label')}>
        {[...model.days, ...model.labels].map(({ text, x, y }) => (
          <text key={`${text} ${x}`} x={x} y={y}>
            {text}
          </text>
        ))}
      </g>
      <g {...paint('rainText')}>
        {model.rainLabels.map(({ text, x, y }) => (
          <text key={x} x={x} y={y}>
            {text}
          </text>
        ))}
      </g>
      <g>
        {model.barbs.map(
          ({ x, path, isCalm, direction, isForecast }) =>
            path !== undefined && (
              <path
                key={x}
                d={path}
                {...paint(isForecast ? 'forecastWind' : 'wind')}
                {...(isCalm && { fill: 'none' })}
                transform={`translate(${x} ${rows.barb}) scale(${(em * 1.7) / BARB}) rotate(${direction}) translate(0 ${BARB / 2})`}
                vector-effect="non-scaling-stroke"
              />
            ),
        )}
      </g>
      <g {...paint('text')} text-anchor="middle">
        {model.barbs.map(({ x, speed }) => (
          <text key={x} x={x} y={rows.speed}>
            {speed}
          </text>
        ))}
        {model.hours.map(({ x, text }) => (
          <text key={x} x={x} y={rows.hour}>
            {text}
          </text>
        ))}
      </g>
      {model.now !== undefined && (
        <>
          <path d={`M${Math.min(model.now.x, plot.right - 1)} ${em}V${plot.bottom}`} {...paint('now')} />
          <rect
            x={model.now.area.left}
            y={model.now.area.top}
            width={model.now.area.right - model.now.area.left}
            height={model.now.area.bottom - model.now.area.top}
            rx={em / 5}
            {...paint('nowBox')}
          />
          <text x={model.now.label.x} y={model.now.label.y} text-anchor="middle" {...paint('nowText')}>
            {model.now.label.text}
          </text>
        </>
      )}
      {model.newest !== undefined && (
        <circle
          cx={Math.min(model.newest[0], plot.right - em * 0.4)}
          cy={model.newest[1]}
          r={em * 0.39}
          {...paint('dot')}
        />
      )}
      {children}
    </svg>
  );
}

/** The sign of a sunrise points up, the sign of a sunset down. */
function caret(x: number, y: number, size: number, isUp: boolean): string {
  const rise = isUp ? size : -size;
  return `M${x - size} ${y + rise / 2}L${x} ${y - rise / 2}L${x + size} ${y + rise / 2}`;
}

function Gradient({
  id,
  stops,
  color,
}: {
  readonly id: string;
  readonly stops: readonly Stop[];
  readonly color: string;
}) {
  return (
    <linearGradient id={id}>
      {stops.map(({ offset, opacity }) => (
        <stop key={offset} offset={offset} stop-color={color} stop-opacity={opacity} />
      ))}
    </linearGradient>
  );
}
