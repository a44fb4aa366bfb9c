import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBenchPostgres } from './bench-postgres';
import { chooseGenerator } from './load';
import { runRounds } from './rounds';
import { startTarget, type RunningTarget } from './running-target';
import { readSettings } from './settings';
import { targetsOf } from './targets';

/** Starts everything, loads all targets in one interleaved run and reports. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const targets = targetsOf(settings);
  const generator = chooseGenerator();
  const profileFolder = settings.isProfiled ? mkdtempSync(join(tmpdir(), 'bench-profiles-')) : null;
  const postgres = await startBenchPostgres(log);
  const running: RunningTarget[] = [];
  try {
    for (const target of targets) {
      running.push(await startTarget(target, { postgres, profileFolder, log }));
    }
    const rounds = await runRounds(running, { settings, generator, postgresPid: postgres.pid, log });
    if (rounds.some(({ failures }) => failures > 0)) {
      process.exitCode = 1;
    }
  } finally {
    for (const { server } of running) {
      await server.stop();
    }
    await postgres.stop();
  }
  if (profileFolder !== null) {
    log(`CPU profiles of the metered servers are in ${profileFolder}`);
  }
}

function log(message: string): void {
  process.stdout.write(`${message}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exitCode = 1;
});
