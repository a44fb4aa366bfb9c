import { spawnSync } from 'node:child_process';
import { loadWithAutocannon } from './autocannon';
import { loadWithWrk } from './wrk';

/** The call that a target is loaded with. */
export interface LoadCall {
  method: 'POST' | 'GET';
  url: string;
  /** JSON; empty for a GET. */
  body: string;
  /** Access keys that the calls take in turn; empty where the target asks for none. */
  keys: string[];
  /** Beside those of every call. */
  headers?: Readonly<Record<string, string>>;
}

/** What some seconds of load showed. */
export interface LoadResult {
  calls: number;
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx, broken connections and answers that did not come; anything but 0 spoils the run. */
  failures: number;
}

export interface LoadGenerator {
  name: string;
  /** Calls a target for some seconds with this many connections, each with one call in flight. */
  run(call: LoadCall, connections: number, durationSeconds: number): Promise<LoadResult>;
}

/** wrk where it is installed: it takes a fraction of the processor time that a Node generator takes from Postgres. */
export function chooseGenerator(): LoadGenerator {
  // wrk can't be asked for its version alone; the usage text that -v prints names it.
  const { stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  const version = /^wrk (\S+)/.exec(stdout ?? '')?.[1];
  return version === undefined
    ? { name: 'autocannon (wrk is not installed)', run: loadWithAutocannon }
    : { name: `wrk ${version}`, run: loadWithWrk };
}
