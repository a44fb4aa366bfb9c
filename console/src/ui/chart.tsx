import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { sumOf, usd, type NanoUsd } from '../api/money';
import { t } from '../texts/texts';

export interface Bar {
  label: string;
  /** One for each series, in its order. */
  amounts: readonly NanoUsd[];
  /** Said beside the amounts, such as how many calls there were. */
  note?: string;
}

const HEIGHT = 220;
const LEFT = 64;
const BOTTOM = 26;
const TOP = 10;
const LABEL_WIDTH = 44;
const TICKS = 4n;
/** Series beyond these are drawn and named as one. */
export const SERIES_MAX = 5;

/**
 * Amounts over time as stacked bars. Amounts are exact: only the heights of the bars are rounded, to pixels. The arrow keys go from
 * bar to bar, and a table says the same to whoever can't see them.
 */
export function BarChart({
  label,
  series,
  bars,
  isGrouped = false,
}: {
  label: string;
  series: readonly string[];
  bars: readonly Bar[];
  /** Side by side: for amounts of which the sum says nothing. */
  isGrouped?: boolean;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [active, setActive] = useState<number>();
  useEffect(() => {
    const element = frame.current;
    if (!element) {
      return;
    }
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const heights = bars.flatMap(({ amounts }) => (isGrouped ? amounts : [sumOf(amounts)]));
  const step = tickStep(heights.reduce((most, height) => (height > most ? height : most), 0n));
  const top = step * TICKS;
  const inner = HEIGHT - TOP - BOTTOM;
  const slot = bars.length === 0 ? 0 : (width - LEFT) / bars.length;
  const heightOf = (amount: NanoUsd) => (Number((amount * 10_000n) / top) / 10_000) * inner;
  const every = Math.max(1, Math.ceil(64 / Math.max(slot, 1)));
  const shown = active === undefined ? undefined : bars[active];

  function move(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
    const by = steps[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setActive((index) => Math.min(bars.length - 1, Math.max(0, (index ?? bars.length) + by)));
    } else if (event.key === 'Escape') {
      setActive(undefined);
    }
  }

  return (
    <figure className="min-w-0">
      <div
        ref={frame}
        role="group"
        aria-label={`${label}. ${t.overview.chartKeys}`}
        tabIndex={0}
        className="relative rounded-lg"
        onKeyDown={move}
        onBlur={() => setActive(undefined)}
        onPointerLeave={() => setActive(undefined)}
        onPointerMove={(event) => {
          const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
          setActive(x < 0 || slot === 0 ? undefined : Math.min(bars.length - 1, Math.floor(x / slot)));
        }}
      >
        <svg width="100%" height={HEIGHT} aria-hidden="true" className="block overflow-visible">
          {[0n, 1n, 2n, 3n, 4n].map((tick) => {
            const y = TOP + inner - heightOf(step * tick);
            return (
              <g key={String(tick)}>
                <line x1={LEFT} x2={width} y1={y} y2={y} className="stroke-line" />
                <text x={LEFT - 8} y={y + 4} textAnchor="end" className="fill-muted text-[11px] tabular-nums">
                  {usd(step * tick)}
                </text>
              </g>
            );
          })}
          {active !== undefined && (
            <rect x={LEFT + active * slot} y={TOP} width={slot} height={inner} className="fill-raised" />
          )}
          {width > 0 &&
            bars.map((bar, index) => (
              <Stack
                key={bar.label}
                heights={bar.amounts.map(heightOf)}
                x={LEFT + (index + 0.5) * slot - Math.min(slot * 0.36, 24)}
                width={Math.min(slot * 0.72, 48)}
                y={TOP + inner}
                isGrouped={isGrouped}
              />
            ))}
          {bars.map((bar, index) => {
            const middle = LEFT + (index + 0.5) * slot;
            const isCut = middle + LABEL_WIDTH / 2 > width;
            return (
              (bars.length - 1 - index) % every === 0 && (
                <text
                  key={bar.label}
                  x={isCut ? width : middle}
                  y={HEIGHT - 6}
                  textAnchor={isCut ? 'end' : 'middle'}
                  className="fill-muted text-[11px]"
                >
                  {bar.label}
                </text>
              )
            );
          })}
        </svg>
        {shown !== undefined && active !== undefined && (
          <Tip
            bar={shown}
            series={series}
            isGrouped={isGrouped}
            style={
              active > bars.length / 2
                ? { right: width - LEFT - active * slot + 8 }
                : { left: LEFT + (active + 1) * slot + 8 }
            }
          />
        )}
      </div>
      <p className="sr-only" aria-live="polite">
        {shown !== undefined &&
          `${shown.label}: ${(isGrouped ? shown.amounts : [sumOf(shown.amounts)]).map(usd).join(', ')}. ${shown.note ?? ''}`}
      </p>
      {series.length > 1 && <Legend series={series} />}
      <ChartTable label={label} series={series} bars={bars} />
    </figure>
  );
}

/** What is said of the bar that is pointed at. */
function Tip({
  bar,
  series,
  isGrouped,
  style,
}: {
  bar: Bar;
  series: readonly string[];
  isGrouped: boolean;
  style: CSSProperties;
}) {
  return (
    <div
      className="pointer-events-none absolute top-0 z-10 min-w-36 rounded-lg border border-line bg-surface px-3 py-2 text-sm shadow-lg"
      style={style}
    >
      <p className="font-medium">{bar.label}</p>
      {!isGrouped && <p className="tabular-nums">{usd(sumOf(bar.amounts))}</p>}
      {series.length > 1 &&
        bar.amounts.map(
          (amount, index) =>
            amount > 0n && (
              <p key={series[index]} className="flex items-center gap-2 text-muted tabular-nums">
                <span className={`size-2.5 rounded-sm ${seriesClass(index)}`} />
                <span className="max-w-40 truncate">{series[index]}</span>
                <span className="ml-auto pl-3">{usd(amount)}</span>
              </p>
            ),
        )}
      {bar.note !== undefined && <p className="text-muted">{bar.note}</p>}
    </div>
  );
}

function Stack({
  heights,
  x,
  width,
  y,
  isGrouped,
}: {
  heights: readonly number[];
  x: number;
  width: number;
  y: number;
  isGrouped: boolean;
}) {
  const share = isGrouped ? width / heights.length : 0;
  let bottom = y;
  return heights.map((height, index) => {
    bottom = isGrouped ? y - height : bottom - height;
    return (
      height > 0 && (
        <rect
          key={index}
          x={x + index * share}
          y={bottom}
          width={isGrouped ? share : width}
          height={Math.max(height, 1)}
          rx={Math.min(2, height)}
          className={seriesClass(index)}
        />
      )
    );
  });
}

function Legend({ series }: { series: readonly string[] }) {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted" aria-hidden="true">
      {series.map((name, index) => (
        <li key={name} className="flex min-w-0 items-center gap-2">
          <span className={`size-2.5 shrink-0 rounded-sm ${seriesClass(index)}`} />
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}

function ChartTable({
  label,
  series,
  bars,
}: {
  label: string;
  series: readonly string[];
  bars: readonly Bar[];
}) {
  return (
    <table className="sr-only">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t.common.when}</th>
          {series.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <th scope="row">{bar.label}</th>
            {bar.amounts.map((amount, index) => (
              <td key={series[index]}>{usd(amount)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const SERIES_CLASSES = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];

export function seriesClass(index: number): string {
  return SERIES_CLASSES[index % SERIES_CLASSES.length] ?? 'series-6';
}

/** The least of 1, 2 and 5 times a power of ten of which the ticks reach the largest bar. */
function tickStep(most: NanoUsd): NanoUsd {
  // Below a hundredth of a cent an axis would say nothing.
  let power = 100_000n;
  for (;;) {
    for (const factor of [1n, 2n, 5n]) {
      if (power * factor * TICKS >= most) {
        return power * factor;
      }
    }
    power *= 10n;
  }
}

/** Amounts by name, the largest first, each with a bar of its share. */
export function Ranking({
  label,
  rows,
}: {
  label: string;
  rows: readonly { name: string; amount: NanoUsd; note: string }[];
}) {
  const most = rows.reduce((largest, { amount }) => (amount > largest ? amount : largest), 1n);
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {rows.map(({ name, amount, note }, index) => (
        // Two keys may have one name.
        <li key={index}>
          <div className="flex items-baseline justify-between gap-3">
            <span className="line-clamp-2 min-w-0 wrap-anywhere" title={name}>
              {name}
            </span>
            <span className="font-medium whitespace-nowrap tabular-nums">{usd(amount)}</span>
          </div>
          <div className="mt-1 flex items-center gap-3">
            <div className="h-1.5 flex-1 overflow-hidden rounded-full bg-raised">
              <div
                className="series-1 h-full rounded-full"
                style={{ width: `${Number((amount * 100n) / most)}%` }}
              />
            </div>
            <span className="text-xs whitespace-nowrap text-muted tabular-nums">{note}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}
