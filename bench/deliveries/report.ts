import { cpus } from 'node:os';
import { POSTS_AT_ONCE } from './posts-at-once';
import { median } from '../statistics';
import type { Burst, Way } from './bursts';
import { STEADY_PER_SECOND } from './light-load';
import type { DeliveryResults } from './measure';
import { ACCOUNTS } from './workers';

const TITLES: Record<Way, string> = {
  bare: 'bare signed posts',
  Postgres: 'one worker, queue in Postgres',
  Redis: 'one worker, queue in Redis',
};

/** The results as Markdown. */
export function deliveriesReport(results: DeliveryResults): string {
  const { events, roundCount, receivers, hasRedis, postgresVersion } = results;
  return [
    '# What one worker delivers',
    'Written by `npm run bench`; do not edit.',
    [
      `${events} events of ${ACCOUNTS} accounts, each with one webhook, are committed at once while a worker idles; they go`,
      `to ${receivers} receivers on this machine, which answer at once. Events a second count from the commit to the last`,
      'event’s first arrival. Bare signed posts are one process that composes, signs and posts the same events to the same',
      `receivers, ${POSTS_AT_ONCE} at once, and stores nothing. Ratios are to them, medians of the ratios round by`,
      'round, their range in brackets. Processor time of Postgres includes writing the events.',
    ].join('\n'),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; Postgres ${postgresVersion}; no process is pinned to a CPU; ${roundCount} rounds.`,
    ...(hasRedis ? [] : ['There was no redis-server on the PATH, so the queue in Redis was not measured.']),
    `## Events that are there at once\n\n${burstTable(results)}`,
    againText(results),
    `## From the commit to the arrival, at ${STEADY_PER_SECOND} events a second\n\n${steadyTable(results)}`,
  ].join('\n\n');
}

function burstTable(results: DeliveryResults): string {
  const ways: Way[] = ['bare', 'Postgres', ...(results.hasRedis ? ['Redis' as const] : [])];
  const rows = ways.map((way) => [
    TITLES[way],
    figure(results, way, ({ perSecond }) => perSecond),
    way === 'bare' ? '1' : ratio(results, way),
    figure(results, way, ({ senderUs }) => senderUs),
    way === 'bare' ? '–' : figure(results, way, ({ postgresUs }) => postgresUs),
  ]);
  const head = [
    'sent by',
    'events a second',
    'ratio',
    'sender’s processor time, µs an event',
    'Postgres’s, µs an event',
  ];
  return table(head, rows);
}

function steadyTable({ steady }: DeliveryResults): string {
  const rows = steady.map(({ backend, events, p50Ms, p99Ms }) => [
    TITLES[backend],
    String(events),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
  ]);
  return table(['delivered by', 'events', 'p50, ms', 'p99, ms'], rows);
}

function againText({ bursts }: DeliveryResults): string {
  const again = bursts.reduce((sum, burst) => sum + burst.again, 0);
  return again === 0 ? 'No event came twice.' : `Requests that brought an event again: ${again}.`;
}

function figure({ bursts }: DeliveryResults, way: Way, pick: (burst: Burst) => number | null): string {
  const values = bursts
    .filter((burst) => burst.way === way)
    .map(pick)
    .filter((value) => value !== null);
  return values.length === 0 ? '–' : median(values).toFixed(0);
}

/** Each round is compared with the bare posts of the same round, so that a machine that slows down distorts nothing. */
function ratio({ bursts }: DeliveryResults, way: Way): string {
  const of = (wanted: Way) =>
    bursts.filter((burst) => burst.way === wanted).sort((one, other) => one.round - other.round);
  const bare = of('bare');
  const ratios = of(way).map(({ perSecond }, index) => perSecond / (bare[index]?.perSecond ?? NaN));
  const range = `${Math.min(...ratios).toFixed(3)}–${Math.max(...ratios).toFixed(3)}`;
  return `${median(ratios).toFixed(3)} (${range})`;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
