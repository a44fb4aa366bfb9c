import { cpus } from 'node:os';
import { isPinned } from '../pinning';
import { compared, roundsOf, type Spread } from '../results';
import type { Round } from '../rounds';
import { median } from '../statistics';
import type { RouterResults, Version } from './measure';
import { COMPARED, CONNECTIONS, nameIn, type Compared } from './servers';

/** How much more processor time of Node a metered call may take after the change. */
const ADDED_US_MAX = 30;

/** The results as Markdown. */
export function routerReport(results: RouterResults): string {
  const { settings, generator, versions } = results;
  return [
    '# What the change costs',
    'Written by `npm run bench` where `BENCH_BEFORE` names another checkout; do not edit.',
    [
      `${versions.map(({ name, commit }) => `${name} is ${commit}`).join(', ')}.`,
      'Both serve the same calls from one Postgres, in rounds in which each target is loaded beside its counterpart.',
      'Differences are after less before, medians of the differences round by round, their range in brackets.',
    ].join(' '),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; ${generator}; ${
      isPinned ? 'server on CPU 0, Postgres and load generator on CPU 1' : 'not pinned'
    }; ${settings.rounds} rounds of ${settings.loadSeconds} s, ${CONNECTIONS} connections.`,
    goalOf(results),
    `## Processor time of Node, µs a call\n\n${figuresTable(results, ({ serverUs }) => serverUs, 1)}`,
    `## Calls a second\n\n${figuresTable(results, ({ callsPerSecond }) => callsPerSecond, 0)}`,
    `## Processor time of Postgres, µs a call\n\n${figuresTable(results, ({ postgresUs }) => postgresUs, 1)}`,
    `## Lines of TypeScript\n\n${linesTable(versions)}`,
  ].join('\n\n');
}

function goalOf(results: RouterResults): string {
  const goal = `Goal: a metered call costs at most ${ADDED_US_MAX} µs of Node more.`;
  const added = COMPARED.filter(
    ({ accounts, isFree, credit }) => accounts > 0 && !isFree && credit === 'ample',
  )
    .map((target) => difference(results, target, ({ serverUs }) => serverUs)?.median)
    .filter((value) => value !== undefined);
  if (added.length === 0) {
    return `${goal} Not measured.`;
  }
  const most = Math.max(...added);
  return `${goal} Measured: ${signed(most, 1)} µs at most: ${most <= ADDED_US_MAX ? 'held' : '**not held**'}.`;
}

function figuresTable(results: RouterResults, pick: (round: Round) => number | null, digits: number): string {
  const figure = (target: Compared, name: Version['name']) => {
    const values = roundsOf(results, nameIn({ name }, target), CONNECTIONS)
      .map(pick)
      .filter((value) => value !== null);
    return values.length === 0 ? '–' : median(values).toFixed(digits);
  };
  const rows = COMPARED.map((target) => {
    const spread = difference(results, target, pick);
    return [
      `${target.title} (\`${target.name}\`)`,
      figure(target, 'before'),
      figure(target, 'after'),
      spread === null
        ? '–'
        : `${signed(spread.median, digits)} (${signed(spread.least, digits)} to ${signed(spread.most, digits)})`,
    ];
  });
  return table(['target', 'before', 'after', 'difference'], rows);
}

function difference(
  results: RouterResults,
  target: Compared,
  pick: (round: Round) => number | null,
): Spread | null {
  const [base, name] = [nameIn({ name: 'before' }, target), nameIn({ name: 'after' }, target)];
  return compared(results, { target: name, base, connections: CONNECTIONS }, (round, baseRound) => {
    const [after, before] = [pick(round), pick(baseRound)];
    return after === null || before === null ? null : after - before;
  });
}

function linesTable(versions: Version[]): string {
  const folders = versions[0]?.lines.map(({ folder }) => folder) ?? [];
  const cells = folders.map((folder) => {
    const counts = versions.map(({ lines }) => lines.find((count) => count.folder === folder));
    const change = (counts[1]?.code ?? 0) - (counts[0]?.code ?? 0);
    return [
      `${folder}/`,
      ...counts.map((count) => `${count?.code ?? 0} (and ${count?.tests ?? 0} of tests)`),
      signed(change, 0),
    ];
  });
  return table(['folder', ...versions.map(({ name }) => name), 'difference'], cells);
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(digits)}`;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
