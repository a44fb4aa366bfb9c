import type { Disk } from './disk';
import type { QueryTimes } from './monitoring-queries';
import type { Round } from './rounds';
import type { Settings } from './settings';
import { median } from './statistics';
import type { Target } from './targets';

/** Everything that a run measured. */
export interface Results {
  settings: Settings;
  generator: string;
  postgresVersion: string;
  disk: Disk;
  targets: Target[];
  rounds: Round[];
  queries: QueryTimes[];
}

/** The median, the smallest and the largest of some values. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** A target's rounds with this many connections, without its warm-up. */
export function roundsOf(results: Pick<Results, 'rounds'>, target: string, connections: number): Round[] {
  return results.rounds.filter(
    (result) => result.target === target && result.connections === connections && result.round > 0,
  );
}

/**
 * Compares each round of a target with the same round of the base, so that a machine that slows down between two rounds
 * does not distort the result. Null where one of the two was not measured, or nothing could be compared.
 */
export function compared(
  results: Pick<Results, 'rounds'>,
  { target, base, connections }: { target: string; base: string; connections: number },
  compare: (round: Round, baseRound: Round) => number | null,
): Spread | null {
  const baseRounds = roundsOf(results, base, connections);
  const values = roundsOf(results, target, connections).flatMap((round) => {
    const baseRound = baseRounds.find((candidate) => candidate.round === round.round);
    const value = baseRound ? compare(round, baseRound) : null;
    return value === null ? [] : [value];
  });
  if (values.length === 0) {
    return null;
  }
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** The throughput of a target divided by that of the base, round by round. */
export function throughputRatio(
  results: Results,
  pair: { target: string; base: string; connections: number },
): Spread | null {
  return compared(results, pair, (round, baseRound) => round.callsPerSecond / baseRound.callsPerSecond);
}

/** One line for each place of the run where calls failed, with their number; empty for a run that counts. */
export function failuresOf(results: Results): string[] {
  const loads = results.rounds
    .filter(({ failures }) => failures > 0)
    .map(({ target, round, connections, failures }) => {
      const when = round === 0 ? 'warm-up' : `round ${round}`;
      return `${target}, ${when}, ${connections} connections: ${failures} calls failed`;
    });
  const queries = results.queries
    .filter(({ failures }) => failures > 0)
    .map(({ target, path, calls, failures }) => `${target}, GET ${path}: ${failures} of ${calls} failed`);
  return [...loads, ...queries];
}
