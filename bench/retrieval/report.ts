import { cpus, loadavg } from 'node:os';
import { INDEXED_AT_ONCE, QUERIES, TOP_K, type RetrievalResults, type Times } from './measure';

/** The results as Markdown. */
export function retrievalReport({ postgresVersion, indexed, latencies }: RetrievalResults): string {
  const { megabytes, seconds, chunks } = indexed;
  const rows = latencies.map(({ chunks: count, ours, plain }) => [
    count.toLocaleString('en-US'),
    timesText(ours),
    timesText(plain),
    `${(ours.p50Ms / plain.p50Ms).toFixed(2)} ×`,
    `${(ours.p99Ms / plain.p99Ms).toFixed(2)} ×`,
  ]);
  const head = [
    'chunks',
    'retrieve p50 / p99, ms',
    'plain ts_rank p50 / p99, ms',
    'ratio of p50',
    'ratio of p99',
  ];
  return [
    '# Retrieval and indexing',
    'Written by `npm run bench`; do not edit.',
    [
      'The manuals and READMEs in node_modules are indexed as one account would index them, and further chunks are copies of',
      `theirs. ${QUERIES} of their headings are asked for, one at a time, top ${TOP_K}, in turn by the service's own retrieval and by`,
      'plain `ts_rank` on the same rows, both from the same process without HTTP.',
    ].join('\n'),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; Postgres ${postgresVersion}; load average of the machine at the end ${(loadavg()[0] ?? 0).toFixed(1)}, of which this run alone makes about 1.`,
    '## Latency',
    [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    '## Indexing',
    `${(megabytes / seconds).toFixed(2)} MB/s: ${megabytes.toFixed(1)} MB, ${chunks} chunks, in ${seconds.toFixed(1)} s, ${INDEXED_AT_ONCE} documents at once.`,
  ].join('\n\n');
}

function timesText({ p50Ms, p99Ms }: Times): string {
  return `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;
}
