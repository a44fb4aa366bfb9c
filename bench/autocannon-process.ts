import autocannon from 'autocannon';
import type { AutocannonOrder } from './autocannon';
import type { LoadResult } from './load';

const CALL_SECONDS_MAX = 30;

/** Does one load as its parent orders, answers with the result and ends. */
async function load({ call, connections, durationSeconds }: AutocannonOrder): Promise<LoadResult> {
  const keys: (string | null)[] = call.keys.length === 0 ? [null] : call.keys;
  let connected = 0;
  const result = await autocannon({
    url: call.url,
    method: call.method,
    connections,
    duration: durationSeconds,
    timeout: CALL_SECONDS_MAX,
    // Each connection begins at another place of the list; otherwise all would use the same key at the same time.
    setupClient: (client) => {
      const first = Math.floor((connected * keys.length) / connections);
      connected += 1;
      client.setRequests(
        [...keys.slice(first), ...keys.slice(0, first)].map((key) => ({
          method: call.method,
          ...(call.body === '' ? {} : { body: call.body }),
          headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) },
        })),
      );
    },
  });
  return {
    calls: result.requests.total,
    callsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}

process.once('message', (order: AutocannonOrder) => {
  load(order).then(
    (result) => process.send?.(result, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
