import { compared, throughputRatio, type Results, type Spread } from './results';
import { meteredName } from './targets';

const CONNECTIONS = 64;
const ADDED_MS_MAX = 1.5;
const QUERY_MS_MAX = 50;

/** A goal of the part `charge`, and what the run says about it. */
export interface Goal {
  goal: string;
  measured: string;
  /** Null where the run did not measure it. */
  isHeld: boolean | null;
}

/** The goals, with the figures that decide them. */
export function goalsOf(results: Results): Goal[] {
  const many = meteredName(0);
  const rowsMost = Math.max(...results.settings.rows);
  return [
    atLeast(results, 0.8, many, 'bare-nest'),
    atLeast(results, 8, many, 'transaction-1000'),
    atLeast(results, 8, 'metered-1', 'transaction-1'),
    atLeast(results, 1, 'metered-1', many),
    ...(rowsMost > 0 ? [atLeast(results, 0.95, meteredName(rowsMost), many)] : []),
    addedLatency(results, many),
    ...(rowsMost > 0 ? [queryTime(results, meteredName(rowsMost))] : []),
  ];
}

function atLeast(results: Results, share: number, target: string, base: string): Goal {
  const ratio = throughputRatio(results, { target, base, connections: CONNECTIONS });
  return {
    goal: `${target} ≥ ${share} × ${base} at ${CONNECTIONS} connections`,
    measured: ratio === null ? 'not measured' : `${factor(ratio)} ×`,
    isHeld: ratio && ratio.median >= share,
  };
}

function addedLatency(results: Results, target: string): Goal {
  const commitsMs = 2 * results.disk.commitMs.median;
  const addedMsMax = Math.max(ADDED_MS_MAX, commitsMs);
  const pair = { target, base: 'bare-nest', connections: 1 };
  const addedMs = compared(results, pair, (round, baseRound) => round.p50Ms - baseRound.p50Ms);
  const bound = `the larger of ${ADDED_MS_MAX} ms and two commits of this disk (${commitsMs.toFixed(2)} ms)`;
  return {
    goal: `p50 that ${target} adds to bare-nest at 1 connection ≤ ${bound}`,
    measured: addedMs === null ? 'not measured' : `${factor(addedMs)} ms`,
    isHeld: addedMs && addedMs.median <= addedMsMax,
  };
}

function queryTime(results: Results, target: string): Goal {
  const medians = results.queries.filter((query) => query.target === target).map(({ medianMs }) => medianMs);
  const slowestMs = medians.length === 0 ? null : Math.max(...medians);
  return {
    goal: `usage and transaction queries on ${target} < ${QUERY_MS_MAX} ms`,
    measured: slowestMs === null ? 'not measured' : `${slowestMs.toFixed(1)} ms (slowest query's median)`,
    isHeld: slowestMs === null ? null : slowestMs < QUERY_MS_MAX,
  };
}

function factor({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}
