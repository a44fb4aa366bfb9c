import { cpus } from 'node:os';
import { isPinned } from '../pinning';
import { compared, roundsOf } from '../results';
import type { Round } from '../rounds';
import { median } from '../statistics';
import { ALONE, BUSY, type EventResults } from './measure';

type Pick = (round: Round) => number | null;

/** Of each row the name of its targets, and which of their figures say what the subscription costs. */
const LOADS = [
  { name: 'others', title: 'other accounts, while the one does not call', connections: BUSY },
  { name: 'mixed', title: 'a mix in which every tenth call is the one’s', connections: BUSY },
  { name: 'own', title: 'the one account, one call at a time', connections: ALONE },
];

const FIGURES: { title: string; digits: number; pick: Pick }[] = [
  { title: 'Calls a second', digits: 0, pick: ({ callsPerSecond }) => callsPerSecond },
  { title: 'p50, ms', digits: 2, pick: ({ p50Ms }) => p50Ms },
  { title: 'Processor time of Postgres, µs a call', digits: 0, pick: ({ postgresUs }) => postgresUs },
];

/** The results as Markdown. */
export function eventsReport(results: EventResults): string {
  const { generator, roundCount, rowsPerCall } = results;
  return [
    '# What the events of a charge cost',
    'Written by `npm run bench`; do not edit.',
    [
      'Two servers on one Postgres get the same calls of the metered echo. On the first nobody has a webhook; on the second',
      'one account has one for all events. No relay runs and nothing is delivered: this is what writing the events adds to',
      'the charge. Ratios are of the second to the first, medians of the ratios round by round, their range in brackets.',
    ].join('\n'),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; ${generator}; ${
      isPinned ? 'servers on CPU 0, Postgres and load generator on CPU 1' : 'not pinned'
    }; ${roundCount} rounds, ${BUSY} connections, ${ALONE} for the one account alone.`,
    `Rows of events for each charge of the one account: ${rowsPerCall.nobody.toFixed(2)} without the webhook, ${rowsPerCall.subscribed.toFixed(2)} with it.`,
    ...FIGURES.map((figure) => `## ${figure.title}\n\n${figureTable(results, figure)}`),
  ].join('\n\n');
}

function figureTable(results: EventResults, { digits, pick }: { digits: number; pick: Pick }): string {
  const rows = LOADS.map(({ name, title, connections }) => {
    const [base, target] = [`${name}-nobody`, `${name}-subscribed`];
    const figure = (of: string) => {
      const values = roundsOf(results, of, connections)
        .map(pick)
        .filter((value) => value !== null);
      return values.length === 0 ? '–' : median(values).toFixed(digits);
    };
    const ratio = compared(results, { target, base, connections }, (round, baseRound) => {
      const [one, other] = [pick(round), pick(baseRound)];
      return one === null || other === null || other === 0 ? null : one / other;
    });
    const spread = ratio === null ? '–' : `${ratio.median.toFixed(2)} (${range(ratio)}) ×`;
    return [title, figure(base), figure(target), spread];
  });
  const head = ['calls of', 'nobody subscribes', 'one subscribes', 'ratio'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function range({ least, most }: { least: number; most: number }): string {
  return `${least.toFixed(2)}–${most.toFixed(2)}`;
}
