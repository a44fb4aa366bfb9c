import { cpus } from 'node:os';
import { SUM_OF_ALL } from './coordinator-statements';
import type { ShardResults, ShardRun } from './measure';

const KINDS = ['ledger_flush', 'ledger_reserve', 'ledger_settle', 'idempotency_claim'];

/** What is wrong with a run; empty where nothing crossed shards and no money was lost or made. */
export function shardFailures({ runs }: ShardResults): string[] {
  return runs.flatMap((run) => {
    const { money, coordinator, fromCoordinator, misplacedRows, shards } = run;
    const crossing = coordinator.filter(({ name, asked, planned }) =>
      name === SUM_OF_ALL ? asked !== shards || planned !== shards : asked !== 1 || (planned ?? 1) !== 1,
    );
    return [
      ...crossing.map(({ name, asked, planned }) => `${name}: ${asked} shards asked, ${planned} planned`),
      ...(misplacedRows === 0 ? [] : [`${misplacedRows} rows are not on the shard of their account`]),
      ...(fromCoordinator === 0 ? [] : [`the coordinator sent ${fromCoordinator} statements for paid calls`]),
      ...(money.balances === money.credited - money.charged ? [] : ['balances are not credit less charges']),
      ...(money.entries === money.balances ? [] : ['the entries do not add up to the balances']),
      ...(money.reserved === 0n ? [] : [`${money.reserved} nano-USD are still reserved`]),
      ...(money.calls === run.calls.calls ? [] : [`${money.calls} rows of ${run.calls.calls} calls`]),
    ].map((fault) => `${shards} shards: ${fault}`);
  });
}

/** The results as Markdown. */
export function shardsReport(results: ShardResults): string {
  const { postgresVersion, atOnce, durable, runs } = results;
  return [
    '# Paid calls over several Postgres servers',
    'Written by `npm run bench`; do not edit.',
    [
      'The tables of a paid call are partitioned by the hash of the account; each partition is on a Postgres server of its own, which',
      'a coordinator reaches through postgres_fdw. The ledger, its functions and the claims of Idempotency-Keys run on the shard of',
      'the account, as functions that are distributed would. All servers and the caller share one machine, so calls/s show what',
      'dividing costs, not what more machines bring (docs/scaling.md).',
    ].join('\n'),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; Postgres ${postgresVersion}; ${atOnce} calls at once; commits ${durable ? 'reach' : 'do not wait for'} the disk.`,
    '## Calls',
    table(
      [
        'shards',
        'calls',
        'calls/s',
        'statements across shards',
        'rows on a wrong shard',
        'statements by the coordinator',
      ],
      runs.map((run) => [
        `${run.shards}`,
        `${run.calls.calls}`,
        (run.calls.calls / run.calls.seconds).toFixed(0),
        `${crossingOf(run)}`,
        `${run.misplacedRows}`,
        `${run.fromCoordinator}`,
      ]),
    ),
    '## Statements that each shard was sent',
    table(
      ['shards', 'shard', 'accounts', ...KINDS],
      runs.flatMap((run) =>
        run.sent.map((counts, shard) => [
          `${run.shards}`,
          `${shard}`,
          `${run.accountsOfShards[shard]}`,
          ...KINDS.map((kind) => `${counts[kind] ?? 0}`),
        ]),
      ),
    ),
    '## Plain statements, given to the coordinator',
    'Shards that the plan asks (EXPLAIN VERBOSE; the plan of an insert does not say), and shards that got a statement (pg_stat_statements), over all of them.',
    coordinatorTable(runs.at(-1)),
    '## Money, USD',
    table(
      [
        'shards',
        'credited',
        'charged',
        'sum of balances',
        'sum of entries',
        'still reserved',
        'lost or made',
      ],
      runs.map(({ shards, money }) => [
        `${shards}`,
        ...[
          money.credited,
          money.charged,
          money.balances,
          money.entries,
          money.reserved,
          money.balances - (money.credited - money.charged),
        ].map(usd),
      ]),
    ),
  ].join('\n\n');
}

function crossingOf({ coordinator }: ShardRun): number {
  return coordinator.filter(({ name, asked }) => name !== SUM_OF_ALL && asked > 1).length;
}

function coordinatorTable(run: ShardRun | undefined): string {
  const statements = run?.coordinator ?? [];
  const names = [...new Set(statements.map(({ name }) => name))];
  return table(
    ['statement', `sent, with ${run?.shards ?? 0} shards`, 'shards planned', 'shards asked'],
    names.map((name) => {
      const own = statements.filter((statement) => statement.name === name);
      const planned = own.map((statement) => statement.planned ?? 0);
      return [
        name,
        `${own.length}`,
        planned.every((count) => count === 0) ? '' : `${Math.max(...planned)}`,
        `${Math.max(...own.map(({ asked }) => asked))}`,
      ];
    }),
  );
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function usd(nano: bigint): string {
  const digits = nano.toString().replace('-', '').padStart(10, '0');
  return `${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
