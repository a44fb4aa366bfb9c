/** What a run of the benchmark measures and how long; every knob is an environment variable. */
export interface Settings {
  rounds: number;
  /** How long each target is loaded in each round. */
  loadSeconds: number;
  /** Numbers of connections, each with one call in flight. */
  connections: number[];
  /** Rows that are in the usage and ledger tables before the load; 0 for fresh databases. */
  rows: number[];
  /** Names of targets; null for all. */
  targets: string[] | null;
  /** Where the results are written; null for the default place, which only a full run may write. */
  resultsPath: string | null;
  /** Whether the metered servers write CPU profiles. */
  isProfiled: boolean;
}

export const DEFAULTS = { rounds: 5, loadSeconds: 4, connections: [1, 64, 256], rows: [0, 1e6, 1e7] };

/** @throws RangeError naming the variable that is not valid */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const list = (name: string, fallback: number[]) =>
    environment[name] ? environment[name].split(',').map((text) => wholeNumber(name, text)) : fallback;
  return {
    rounds: list('BENCH_ROUNDS', [DEFAULTS.rounds])[0] ?? DEFAULTS.rounds,
    loadSeconds: list('BENCH_SECONDS', [DEFAULTS.loadSeconds])[0] ?? DEFAULTS.loadSeconds,
    connections: list('BENCH_CONNECTIONS', DEFAULTS.connections),
    rows: list('BENCH_ROWS', DEFAULTS.rows),
    targets: environment.BENCH_TARGETS?.split(',').map((name) => name.trim()) ?? null,
    resultsPath: environment.BENCH_RESULTS ?? null,
    isProfiled: environment.BENCH_PROFILE === '1',
  };
}

/** Whether a run measures all that the results file states, at least as thoroughly as by default. */
export function isFull(settings: Settings): boolean {
  return (
    settings.rounds >= DEFAULTS.rounds &&
    settings.loadSeconds >= DEFAULTS.loadSeconds &&
    DEFAULTS.connections.every((count) => settings.connections.includes(count)) &&
    DEFAULTS.rows.every((count) => settings.rows.includes(count)) &&
    settings.targets === null &&
    !settings.isProfiled
  );
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!/^\s*\d+(e\d)?\s*$/.test(text) || !Number.isSafeInteger(number)) {
    throw new RangeError(`${name}: ${text} is no whole number`);
  }
  return number;
}
