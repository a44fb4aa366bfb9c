import { cpus } from 'node:os';
import { isPinned } from '../pinning';
import { median } from '../statistics';
import type { Case } from './cases';
import { CHUNKS } from './chat-answers';
import { IDLE_STREAMS } from './idle-streams';
import type { PassThroughResults, PassThroughRound } from './measure';
import type { Kind } from './servers';

/** The results as Markdown. */
export function passThroughReport(results: PassThroughResults, remarks: string): string {
  const { settings, generator, commit, disk } = results;
  return [
    '# Pass-through',
    'Written by `npm run bench`; do not edit. Remarks on it are kept in REMARKS.md of the same folder and repeated at the end.',
    [
      'What the service adds to a chat completion that it passes on to an upstream: rate limits, key, validation, counting,',
      'price, reservation, breaker, reading usage, settlement and receipt. Beside it a proxy on the same HTTP server and',
      'client that moves bytes and does nothing else; where one is installed a gateway that meters nothing, unstreamed, because',
      'on Node 20 it fails for streams; and where one is named another checkout of this service. The upstream answers at once unless something else is said.',
    ].join('\n'),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; ${generator}; commit ${commit}; ${
      isPinned ? 'server on CPU 0, upstream, Postgres and load generator on CPU 1' : 'not pinned'
    }; ${settings.rounds} rounds of ${settings.loadSeconds} s, medians, ratios round by round. A commit of one row takes ${disk.commitMs.median.toFixed(2)} ms.`,
    ...results.cases.map((each) => `## ${each.title}\n\n${loadTable(results, each)}`),
    `## The first chunk of a stream\n\n${firstChunkTable(results)}`,
    ...(results.idleKiB.length === 0 ? [] : [`## Memory of idle streams\n\n${memoryTable(results)}`]),
    ...(remarks === '' ? [] : [remarks]),
  ].join('\n\n');
}

const COLUMNS = [
  'through',
  'calls/s',
  'to the proxy',
  'p50 ms',
  'p99 ms',
  'server µs a call',
  'Postgres µs a call',
  'longest turn ms',
];

function loadTable(results: PassThroughResults, { name }: Case): string {
  const rows = results.kinds.map((kind) => {
    const rounds = roundsOf(results, kind, name);
    const figure = (pick: (round: PassThroughRound) => number | null, digits: number) => {
      const values = rounds.map(pick).filter((value) => value !== null);
      return values.length === 0 ? '–' : median(values).toFixed(digits);
    };
    return [
      kind,
      figure(({ callsPerSecond }) => callsPerSecond, 0),
      ratioOf(results, kind, name),
      figure(({ p50Ms }) => p50Ms, 2),
      figure(({ p99Ms }) => p99Ms, 2),
      figure(({ serverUs }) => serverUs, 0),
      figure(({ postgresUs }) => postgresUs, 0),
      figure(({ loopDelayMs }) => loopDelayMs, 1),
    ];
  });
  return table(COLUMNS, rows);
}

function ratioOf(results: PassThroughResults, kind: Kind, name: Case['name']): string {
  const bases = roundsOf(results, 'byte proxy', name);
  const ratios = roundsOf(results, kind, name).flatMap(({ round, callsPerSecond }) => {
    const base = bases.find((candidate) => candidate.round === round);
    return base ? [callsPerSecond / base.callsPerSecond] : [];
  });
  if (ratios.length === 0) {
    return '–';
  }
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

function firstChunkTable({ kinds, firstChunks }: PassThroughResults): string {
  const rows = kinds.map((kind) => {
    const times = firstChunks.filter((each) => each.kind === kind).map(({ ms }) => ms);
    return [kind, times.length === 0 ? '–' : median(times).toFixed(2)];
  });
  return [
    `Streams of ${CHUNKS} chunks, one after the other on one connection, from the request to their first chunk.`,
    table(['through', 'p50 ms'], rows),
  ].join('\n\n');
}

function memoryTable({ idleKiB }: PassThroughResults): string {
  const rows = [...new Set(idleKiB.map(({ kind }) => kind))].map((kind) => {
    const figures = idleKiB.filter((each) => each.kind === kind).map(({ kiB }) => kiB);
    const text = (kiB: number) => kiB.toFixed(0);
    return [kind, text(median(figures)), `${text(Math.min(...figures))}–${text(Math.max(...figures))}`];
  });
  return [
    `${IDLE_STREAMS} streams after their first chunk, resident memory beyond that before them, a fresh process each time.`,
    table(['through', 'KiB a stream', 'range'], rows),
  ].join('\n\n');
}

function roundsOf({ rounds }: PassThroughResults, kind: Kind, name: Case['name']): PassThroughRound[] {
  return rounds.filter((round) => round.kind === kind && round.name === name);
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
