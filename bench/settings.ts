/** What a run of the benchmark measures and how long; every knob is an environment variable. */
export interface Settings {
  /**
   * What is measured: the charge of a call, what is added to calls that are passed on, what events add, how fast they are
   * delivered, how fast retrieval is, what sockets cost, where statements go over several servers, what a change costs,
   * and how often the engine is right without a model.
   */
  parts: Part[];
  rounds: number;
  /** How long each target is loaded in each round. */
  loadSeconds: number;
  /** Numbers of connections, each with one call in flight. */
  connections: number[];
  /** Rows that are in the usage and ledger tables before the load; 0 for fresh databases. */
  rows: number[];
  /** Events that a worker has to deliver at once. */
  events: number;
  /** Names of targets; null for all. */
  targets: string[] | null;
  /** Where the results are written; null for the default place, which only a full run may write. */
  resultsPath: string | null;
  /** Whether the metered servers write CPU profiles. */
  isProfiled: boolean;
  /** The folder of another checkout, which is built: what this one is compared with; null for no comparison. */
  before: string | null;
  /** The folder of a gateway that meters nothing, which the pass-through is compared with too; null for none. */
  gateway: string | null;
}

export const PARTS = [
  'charge',
  'pass-through',
  'events',
  'deliveries',
  'retrieval',
  'sockets',
  'router',
  'text',
] as const;
export type Part = (typeof PARTS)[number];

export const DEFAULTS = {
  rounds: 5,
  loadSeconds: 4,
  connections: [1, 64, 256],
  rows: [0, 1e6, 1e7],
  events: 5_000,
};

/** @throws RangeError naming the variable that is not valid */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const list = (name: string, fallback: number[]) =>
    environment[name] ? environment[name].split(',').map((text) => wholeNumber(name, text)) : fallback;
  const before = environment.BENCH_BEFORE || null;
  return {
    parts: partsOf(environment.BENCH_PARTS, before),
    rounds: list('BENCH_ROUNDS', [DEFAULTS.rounds])[0] ?? DEFAULTS.rounds,
    loadSeconds: list('BENCH_SECONDS', [DEFAULTS.loadSeconds])[0] ?? DEFAULTS.loadSeconds,
    connections: list('BENCH_CONNECTIONS', DEFAULTS.connections),
    rows: list('BENCH_ROWS', DEFAULTS.rows),
    events: list('BENCH_EVENTS', [DEFAULTS.events])[0] ?? DEFAULTS.events,
    targets: environment.BENCH_TARGETS?.split(',').map((name) => name.trim()) ?? null,
    resultsPath: environment.BENCH_RESULTS ?? null,
    isProfiled: environment.BENCH_PROFILE === '1',
    before,
    gateway: environment.BENCH_GATEWAY || null,
  };
}

/** Whether a run measures at least as thoroughly as by default. */
export function isLong({ rounds, loadSeconds }: Settings): boolean {
  return rounds >= DEFAULTS.rounds && loadSeconds >= DEFAULTS.loadSeconds;
}

/** Whether a run measures all that the results file states, at least as thoroughly as by default. */
export function isFull(settings: Settings): boolean {
  return (
    isLong(settings) &&
    DEFAULTS.connections.every((count) => settings.connections.includes(count)) &&
    DEFAULTS.rows.every((count) => settings.rows.includes(count)) &&
    settings.targets === null &&
    !settings.isProfiled
  );
}

/** All parts where none is named. The router is then left out where there is no other checkout to compare with. */
function partsOf(text: string | undefined, before: string | null): Part[] {
  const names = text
    ? text.split(',').map((name) => name.trim())
    : PARTS.filter((part) => part !== 'router' || before !== null);
  const unknown = names.find((name) => !PARTS.includes(name as Part));
  if (unknown !== undefined) {
    throw new RangeError(`BENCH_PARTS: ${unknown} is no part; the parts are ${PARTS.join(', ')}`);
  }
  if (names.includes('router') && before === null) {
    throw new RangeError(
      'BENCH_PARTS: router needs BENCH_BEFORE, the folder of the checkout to compare with',
    );
  }
  return names as Part[];
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!/^\s*\d+(e\d)?\s*$/.test(text) || !Number.isSafeInteger(number)) {
    throw new RangeError(`${name}: ${text} is no whole number`);
  }
  return number;
}
