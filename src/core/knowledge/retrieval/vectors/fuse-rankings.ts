/** Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009. */
const K = 60;

/**
 * Fuses rankings of ids, the best first, by reciprocal rank fusion. The score of an id is the sum over the rankings of
 * 1 / (60 + rank), as a share of the greatest possible sum: 1 for the id that is first in all of them. An id that a
 * ranking has twice counts where it stands first. The map is in the order of the scores, and of the ids where those are
 * equal.
 */
export function fuseRankings(rankings: readonly (readonly string[])[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [index, id] of [...new Set(ranking)].entries()) {
      scores.set(id, (scores.get(id) ?? 0) + (K + 1) / (K + 1 + index) / rankings.length);
    }
  }
  return new Map([...scores].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1)));
}
