import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../../src/database/embedded/server';

/**
 * A service in miniature, to be started and killed by tests: it owns an embedded Postgres, writes rows one by one and
 * says of each when the database has acknowledged it. Told to end, it still writes one row and then stops Postgres.
 * It dies with the test that started it.
 */
async function own(dataFolder: string): Promise<void> {
  process.stdin.resume().once('end', () => process.kill(process.pid, 'SIGKILL'));
  process.stdin.unref();
  const told = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      told.abort();
    });
  }
  const server = await startEmbeddedPostgres({
    dataFolder,
    log: (message) => {
      say('log', message);
    },
  });
  const client = new Client(server.url);
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS acknowledged (id bigserial PRIMARY KEY)');
  say('ready', server.url);
  while (!told.signal.aborted) {
    say('acknowledged', await writeRow(client));
  }
  say('drained', await writeRow(client));
  await client.end();
  await server.stop();
  say('stopped', '');
}

async function writeRow(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('INSERT INTO acknowledged DEFAULT VALUES RETURNING id');
  return rows[0]?.id ?? '';
}

function say(kind: string, text: string): void {
  process.stdout.write(`${JSON.stringify([kind, text])}\n`);
}

own(process.argv[2] ?? '').catch((error: unknown) => {
  say('failed', String(error));
  process.exitCode = 1;
});
