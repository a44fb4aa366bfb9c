import { cpus, release, totalmem } from 'node:os';
import { goalsOf } from './goals';
import { isPinned } from './pinning';
import { roundsOf, throughputRatio, type Results } from './results';
import type { Round } from './rounds';
import { median } from './statistics';
import type { Target } from './targets';

type Row = string[];

/** The results as Markdown: the goals first, then what they follow from. */
export function reportOf(results: Results, remarks: string): string {
  return [
    '# Results',
    'Written by `npm run bench`; do not edit. Remarks on them are kept in REMARKS.md and repeated at the end.',
    `## Goals\n\n${table(['goal', 'measured', 'held?'], goalRows(results))}`,
    `## Machine\n\n${machineOf(results)}`,
    `## Load\n\n${loadOf(results)}`,
    ...results.settings.connections.map(
      (connections) =>
        `### ${connections} connection${connections === 1 ? '' : 's'}\n\n${loadTable(results, connections)}`,
    ),
    ...(results.queries.length === 0 ? [] : [`## Usage queries\n\n${queriesOf(results)}`]),
    `## Repeat\n\n${repeatOf(results)}`,
    ...(remarks === '' ? [] : [remarks]),
  ].join('\n\n');
}

function goalRows(results: Results): Row[] {
  return goalsOf(results).map(({ goal, measured, isHeld }) => [
    goal,
    measured,
    isHeld === null ? '–' : isHeld ? 'yes' : '**no**',
  ]);
}

function machineOf({ disk, postgresVersion, generator }: Results): string {
  const processors = cpus();
  const figure = ({ median: middle, p99 }: { median: number; p99: number }) =>
    `${middle.toFixed(2)} ms (median of 200; p99 ${p99.toFixed(2)} ms)`;
  return table(
    ['', ''],
    [
      ['processor', `${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} cores`],
      ['memory', `${(totalmem() / 2 ** 30).toFixed(1)} GiB`],
      ['system', `${process.platform} ${release()}`],
      ['Node', process.version],
      ['Postgres', `${postgresVersion}, embedded, its defaults (durable commits)`],
      ['fsync of 8 KiB', figure(disk.fsyncMs)],
      ['commit of one row', figure(disk.commitMs)],
      ['load generator', generator],
      [
        'pinning',
        isPinned
          ? 'server on CPU 0; Postgres and load generator on CPU 1'
          : 'none: no taskset, or one core only',
      ],
    ],
  );
}

function loadOf(results: Results): string {
  const { settings, targets } = results;
  const grown = targets
    .filter(({ kind }) => kind === 'metered')
    .map(({ name, rows }) => `${name} ${count(rows + callsOf(results, name))}`);
  return [
    `Rounds: ${settings.rounds}, of ${settings.loadSeconds} s for each target in turn. The figures are medians over`,
    'the rounds; the ratio is the median of the ratios round by round, its range in brackets. Processor time is that of',
    'the server process and of Postgres with all its children, per call.',
    ...(grown.length > 0
      ? [`The calls themselves fill the tables; at the end they held ${grown.join(', ')} rows.`]
      : []),
  ].join('\n');
}

function loadTable(results: Results, connections: number): string {
  return table(
    ['target', 'calls/s', 'to bare Nest', 'p50 ms', 'p99 ms', 'server µs', 'Postgres µs', 'memory MiB'],
    results.targets.map((target) => loadRow(results, target, connections)),
  );
}

function loadRow(results: Results, { name, title }: Target, connections: number): Row {
  const rounds = roundsOf(results, name, connections);
  const ratio = throughputRatio(results, { target: name, base: 'bare-nest', connections });
  const figure = (pick: (round: Round) => number | null, digits: number) => {
    const values = rounds.map(pick).filter((value) => value !== null);
    return values.length === 0 ? '–' : median(values).toFixed(digits);
  };
  return [
    `${title} (\`${name}\`)`,
    figure(({ callsPerSecond }) => callsPerSecond, 0),
    ratio ? `${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)}–${ratio.most.toFixed(2)})` : '–',
    figure(({ p50Ms }) => p50Ms, 2),
    figure(({ p99Ms }) => p99Ms, 2),
    figure(({ serverUs }) => serverUs, 0),
    figure(({ postgresUs }) => postgresUs, 0),
    figure(({ memoryMiB }) => memoryMiB, 0),
  ];
}

function queriesOf({ queries }: Results): string {
  const rows = queries.map(({ target, path, calls, medianMs, p99Ms }) => [
    target,
    `GET ${path}`,
    medianMs.toFixed(1),
    p99Ms.toFixed(1),
    String(calls),
  ]);
  return [
    'Asked after the load, on one connection, by the account that has half of all rows.',
    table(['target', 'query', 'median ms', 'p99 ms', 'calls'], rows),
  ].join('\n\n');
}

function repeatOf({ settings }: Results): string {
  const { rounds, loadSeconds, connections, rows, targets } = settings;
  const variables = [
    `BENCH_ROUNDS=${rounds}`,
    `BENCH_SECONDS=${loadSeconds}`,
    `BENCH_CONNECTIONS=${connections.join(',')}`,
    `BENCH_ROWS=${rows.join(',')}`,
    ...(targets ? [`BENCH_TARGETS=${targets.join(',')}`] : []),
  ];
  return `\`\`\`sh\nnpm ci\n${variables.join(' ')} npm run bench\n\`\`\`\n\nREADME.md says what is measured and how to read it.`;
}

function callsOf(results: Results, target: string): number {
  return results.rounds.filter((round) => round.target === target).reduce((sum, { calls }) => sum + calls, 0);
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function table(head: Row, rows: Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
