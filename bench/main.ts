import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, median, type Round, type Target } from './load';
import { meteredTarget } from './metered-target';
import { startServer } from './processes';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 64);

/** Loads a bare Nest route and the metered path in turn, and prints their medians side by side. */
async function main(): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'bench-'));
  // Run by root, Postgres is another user, who has to get in.
  chmodSync(dataFolder, 0o755);
  const bare = await startServer(join(__dirname, 'bare-nest.js'), {}, '/');
  const environment = { DATA_DIR: dataFolder, LOG_LEVEL: 'error', DATABASE_URL: '' };
  const metered = await startServer(join(__dirname, '../src/main.js'), environment, '/health/ready');
  try {
    const meteredCall = await meteredTarget(metered.url, dataFolder);
    const bareCall: Target = { ...meteredCall, name: 'bare Nest: POST /echo', url: `${bare.url}/echo` };
    const targets = [bareCall, meteredCall];
    const rounds = new Map<Target, Round[]>(targets.map((target) => [target, []]));
    for (const target of targets) {
      await load(target, CONNECTIONS, 2);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const target of targets) {
        rounds.get(target)?.push(await load(target, CONNECTIONS, SECONDS));
      }
    }
    report(targets, rounds);
  } finally {
    await metered.stop();
    await bare.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function report(targets: Target[], rounds: Map<Target, Round[]>): void {
  const medians = targets.map((target) => ({ target, round: median(rounds.get(target) ?? []) }));
  const baseline = medians[0]?.round.callsPerSecond ?? 1;
  const lines = medians.map(({ target, round }) =>
    [
      target.name.padEnd(40),
      `${Math.round(round.callsPerSecond)} calls/s`.padStart(16),
      `p50 ${round.p50Ms} ms`.padStart(12),
      `p99 ${round.p99Ms} ms`.padStart(12),
      `ratio ${(round.callsPerSecond / baseline).toFixed(3)}`.padStart(13),
      `failures ${round.failures}`.padStart(13),
    ].join(' '),
  );
  process.stdout.write(
    `${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, medians\n${lines.join('\n')}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exitCode = 1;
});
