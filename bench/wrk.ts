import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadCall, LoadResult } from './load';
import { OTHERS_CPU, pinned } from './pinning';
import { readWrkOutput, RESULT_MARK } from './wrk-output';

/** Longer than a call ever waits behind 256 others on one locked account; a call that takes longer has failed. */
const CALL_SECONDS_MAX = 30;

/** Loads with wrk on one thread, whose calls take the keys in turn. @throws Error with wrk's own words when it fails */
export async function loadWithWrk(
  call: LoadCall,
  connections: number,
  durationSeconds: number,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-wrk-'));
  try {
    const script = join(folder, 'call.lua');
    writeFileSync(script, scriptOf(call));
    const [command, ...rest] = pinned(OTHERS_CPU, [
      'wrk',
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${durationSeconds}s`,
      `--timeout=${CALL_SECONDS_MAX}s`,
      `--script=${script}`,
      call.url,
    ]);
    const { stdout } = await promisify(execFile)(command, rest);
    return readWrkOutput(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The script makes all requests before the load begins, so that it costs one table look-up for each call. */
function scriptOf({ method, body, keys, headers = {} }: LoadCall): string {
  const keyHeaders = keys.length === 0 ? ['nil'] : keys.map((key) => JSON.stringify(key));
  return `
local keys = { ${keyHeaders.join(', ')} }
local body = ${JSON.stringify(body)}
local requests, last, count = {}, 0, ${keyHeaders.length}

function init()
  for turn = 1, count do
    local headers = { ["Host"] = wrk.headers["Host"], ["Content-Type"] = "application/json" }
    headers["X-API-Key"] = keys[turn]
${Object.entries(headers)
  .map(([name, value]) => `    headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
    requests[turn] = wrk.format(${JSON.stringify(method)}, nil, headers, body)
  end
end

function request()
  last = last % count + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '${RESULT_MARK}{"calls":%d,"microseconds":%d,"p50Us":%d,"p99Us":%d,"statuses":%d,"sockets":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}
