import { cpus } from 'node:os';
import { isPinned } from '../pinning';
import { median } from '../statistics';
import { CHUNKS } from './chat-answers';
import { IDLE_STREAMS } from './idle-streams';
import type { Form, PassThroughResults, PassThroughRound } from './measure';
import { KINDS, type Kind } from './servers';

const TITLES: Record<Form, string> = {
  unstreamed: 'Unstreamed answers',
  streamed: `Streamed answers of ${CHUNKS} chunks`,
};

/** The results as Markdown. */
export function passThroughReport(results: PassThroughResults, remarks: string): string {
  const { settings, generator } = results;
  return [
    '# Pass-through',
    'Written by `npm run bench`; do not edit. Remarks on it are kept in REMARKS.md of the same folder and repeated at the end.',
    [
      'What the service adds to a chat completion that it passes on to an upstream: rate limits, key, validation, counting,',
      'price, reservation, breaker, reading usage, settlement and receipt. Beside it a proxy on the same HTTP server and',
      'client that moves bytes and does nothing else. The upstream answers at once, so nothing hides the difference; in front',
      'of a real model it is added to seconds.',
    ].join('\n'),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; ${generator}; ${
      isPinned ? 'server on CPU 0, upstream, Postgres and load generator on CPU 1' : 'not pinned'
    }; ${settings.rounds} rounds of ${settings.loadSeconds} s, medians, ratios round by round.`,
    ...(['unstreamed', 'streamed'] as const).map(
      (form) => `## ${TITLES[form]}\n\n${loadTable(results, form)}`,
    ),
    `## Memory of idle streams\n\n${memoryTable(results)}`,
    ...(remarks === '' ? [] : [remarks]),
  ].join('\n\n');
}

function loadTable(results: PassThroughResults, form: Form): string {
  const rows = results.connections.flatMap((connections) =>
    KINDS.map((kind) => {
      const rounds = roundsOf(results, { kind, form, connections });
      const figure = (pick: (round: PassThroughRound) => number | null, digits: number) => {
        const values = rounds.map(pick).filter((value) => value !== null);
        return values.length === 0 ? '–' : median(values).toFixed(digits);
      };
      return [
        String(connections),
        kind,
        figure(({ callsPerSecond }) => callsPerSecond, 0),
        ratioOf(results, { kind, form, connections }),
        figure(({ p50Ms }) => p50Ms, 2),
        figure(({ p99Ms }) => p99Ms, 2),
        figure(({ serverUs }) => serverUs, 0),
      ];
    }),
  );
  return table(
    ['connections', 'through', 'calls/s', 'to the proxy', 'p50 ms', 'p99 ms', 'server µs a call'],
    rows,
  );
}

function ratioOf(
  results: PassThroughResults,
  which: { kind: Kind; form: Form; connections: number },
): string {
  const bases = roundsOf(results, { ...which, kind: 'byte proxy' });
  const ratios = roundsOf(results, which).flatMap(({ round, callsPerSecond }) => {
    const base = bases.find((candidate) => candidate.round === round);
    return base ? [callsPerSecond / base.callsPerSecond] : [];
  });
  if (ratios.length === 0) {
    return '–';
  }
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

function memoryTable({ idleKiB }: PassThroughResults): string {
  const rows = KINDS.map((kind) => {
    const figures = idleKiB.filter((each) => each.kind === kind).map(({ kiB }) => kiB);
    const text = (kiB: number) => kiB.toFixed(0);
    return figures.length === 0
      ? [kind, '–', '–']
      : [kind, text(median(figures)), `${text(Math.min(...figures))}–${text(Math.max(...figures))}`];
  });
  return [
    `${IDLE_STREAMS} streams after their first chunk, resident memory beyond that before them, a fresh process each time.`,
    table(['through', 'KiB a stream', 'range'], rows),
  ].join('\n\n');
}

function roundsOf(
  { rounds }: PassThroughResults,
  { kind, form, connections }: { kind: Kind; form: Form; connections: number },
): PassThroughRound[] {
  return rounds.filter(
    (round) => round.kind === kind && round.form === form && round.connections === connections,
  );
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
