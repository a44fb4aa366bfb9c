import { pbkdf2 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source';
import {
  type EmbeddedPostgres,
  readPostmasterFile,
  startEmbeddedPostgres,
} from '../../src/database/embedded/server';
import { runningProcesses } from '../support/processes/running-processes';
import { until } from '../support/until';
import { EmbeddedFixture } from '../support/upstream/embedded-fixture';

const fixture = new EmbeddedFixture();
let messages: string[] = [];
let dataFolder: string;
let server: EmbeddedPostgres;

const dataDirectory = (): string => join(dataFolder, 'postgres', 'data');
const processes = (): unknown[] => runningProcesses().filter(({ command }) => command.includes(dataFolder));
const told = (text: string): boolean => messages.some((message) => message.includes(text));
const timesReady = (): number => messages.filter((message) => message.includes('is ready')).length;

beforeEach(async () => {
  messages = [];
  dataFolder = fixture.newDataFolder();
  const log = (message: string): number => messages.push(message);
  server = await startEmbeddedPostgres({ dataFolder, log, durable: false });
});
afterEach(async () => {
  await server.stop();
  expect(processes()).toEqual([]);
});
afterAll(() => fixture.cleanUp());

describe('an embedded Postgres that dies', () => {
  it('is started again at the same address, where whoever waited for it goes on', async () => {
    const database = await new DataSource(dataSourceOptions(server.url, 4)).initialize();
    const { master: pool } = database.driver as unknown as { master: Pool };
    const { url } = server;
    for (const death of [1, 2]) {
      // A server that takes connections may still be starting for whoever keeps it, and its end would be a failed start.
      await until('its keeper has it', () => timesReady() === death);
      await killServer();
      await until('the pool has noticed', () => pool.totalCount === 0);
      expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect([
        server.url,
        messages.filter((message) => message.includes('nobody asked it to')).length,
      ]).toEqual([url, death]);
    }
    await database.destroy();
  });

  it('is tried again and again until it starts', async () => {
    await rename(dataDirectory(), `${dataDirectory()}-away`).then(() => undefined);
    const pid = Number((await readPostmasterFile(`${dataDirectory()}-away`))?.pid);
    process.kill(pid, 'SIGKILL');
    await until('a start has failed', () => told('is tried again in'));
    await rename(`${dataDirectory()}-away`, dataDirectory());
    await until('it runs again', () => timesReady() === 2);
  });

  it('is started again also where it dies in the moment in which it is ready', async () => {
    await server.stop();
    let starts = 0;
    const log = (message: string) => {
      if (message.includes('is ready') && (starts += 1) <= 2) {
        killServerNow();
      }
    };
    server = await startEmbeddedPostgres({ dataFolder, log, durable: false });
    await until('it has been started twice more', () => starts === 3);
  });

  it('is not started again by a service that ends', async () => {
    await killServer();
    await until('its death is known', () => told('nobody asked it to'));
    await server.stop();
    expect(processes()).toEqual([]);
    expect(timesReady()).toBe(1);
  });
});

/** Its end is known before whoever started it goes on: files wait for the threads, which are busy with passwords. */
function killServerNow(): void {
  const [pid] = readFileSync(join(dataDirectory(), 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  for (let password = 0; password < 8; password += 1) {
    pbkdf2('password', 'salt', 500_000, 32, 'sha256', () => undefined);
  }
}

async function killServer(): Promise<void> {
  const file = await readPostmasterFile(dataDirectory());
  process.kill(file?.pid ?? NaN, 'SIGKILL');
}
