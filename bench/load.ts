import autocannon from 'autocannon';

/** What one round of load showed. */
export interface Round {
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx, and connections that broke; anything but 0 spoils a round. */
  failures: number;
}

export interface Target {
  name: string;
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** Calls a target for some seconds with this many connections, each with one call in flight. */
export async function load(target: Target, connections: number, durationSeconds: number): Promise<Round> {
  const result = await autocannon({
    url: target.url,
    method: target.method,
    headers: target.headers,
    body: target.body,
    connections,
    duration: durationSeconds,
  });
  return {
    callsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}

/** The middle round by throughput: absolutes drift on a shared machine, medians of interleaved rounds do not. */
export function median(rounds: Round[]): Round {
  const sorted = [...rounds].sort((a, b) => a.callsPerSecond - b.callsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) {
    throw new RangeError('no rounds were run');
  }
  return { ...middle, failures: rounds.reduce((sum, round) => sum + round.failures, 0) };
}
