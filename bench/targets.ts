import type { Settings } from './settings';

/** One of the servers that the part `charge` loads. */
export interface Target {
  /** The name by which BENCH_TARGETS chooses it. */
  name: string;
  title: string;
  kind: 'bare-fastify' | 'bare-nest' | 'guarded-nest' | 'metered' | 'transaction';
  /** How many accounts make the calls in turn; 0 where calls have no account. */
  accounts: number;
  /** How many rows the usage and ledger tables have before the load. */
  rows: number;
}

/** How many accounts the targets have that have more than one. */
const MANY = 1000;

/** The targets of a run, in the order in which every round takes them. @throws RangeError for an unknown name */
export function targetsOf({ rows, targets }: Pick<Settings, 'rows' | 'targets'>): Target[] {
  const all: Target[] = [
    { name: 'bare-fastify', title: 'bare Fastify', kind: 'bare-fastify', accounts: 0, rows: 0 },
    { name: 'bare-nest', title: 'bare Nest', kind: 'bare-nest', accounts: 0, rows: 0 },
    {
      name: 'guarded-nest',
      title: 'bare Nest with an empty guard and interceptor',
      kind: 'guarded-nest',
      accounts: 0,
      rows: 0,
    },
    { name: 'metered-1', title: 'metered, 1 account', kind: 'metered', accounts: 1, rows: 0 },
    ...rows.map(meteredTarget),
    {
      name: 'transaction-1',
      title: 'transaction per call, 1 account',
      kind: 'transaction',
      accounts: 1,
      rows: 0,
    },
    {
      name: 'transaction-1000',
      title: `transaction per call, ${MANY} accounts`,
      kind: 'transaction',
      accounts: MANY,
      rows: 0,
    },
  ];
  const unknown = targets?.find((name) => !all.some((target) => target.name === name));
  if (unknown !== undefined) {
    throw new RangeError(
      `${unknown} is no target; the targets are ${all.map(({ name }) => name).join(', ')}`,
    );
  }
  return all.filter(({ name }) => targets === null || targets.includes(name));
}

/** The name of the metered target with 1,000 accounts and this many rows. */
export function meteredName(rows: number): string {
  return rows === 0 ? `metered-${MANY}` : `metered-${shortNumber(rows)}`;
}

function meteredTarget(rows: number): Target {
  const title = `metered, ${MANY} accounts${rows === 0 ? '' : `, ${shortNumber(rows)} rows`}`;
  return { name: meteredName(rows), title, kind: 'metered', accounts: MANY, rows };
}

/** 10000000 as 1e7. */
function shortNumber(number: number): string {
  return number.toExponential().replace('+', '');
}
