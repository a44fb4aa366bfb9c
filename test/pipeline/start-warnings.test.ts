import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { Configuration } from '../../src/config/configuration';
import { TestService } from '../support/api/service';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';

const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';
const MAIN = join(__dirname, '../../dist/src/main.js');
/** The last that a process says of its start. */
const STARTED = /^(?:Documentation|The worker runs)/m;
const TEST = /SERVICE_ENVIRONMENT is test.*BTC, ETH, SOL.*SERVICE_ENVIRONMENT=live/;
const NO_ADMIN = /No account is an active admin.*ADMIN_EMAIL and ADMIN_PASSWORD/;

describe('a start on a database of the operator', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => database.drop());

  /** Starts the service and stops it again; the warnings that it logs meanwhile. */
  async function warningsOf(environment: Record<string, string>): Promise<string[]> {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        JWT_SECRET,
        LOG_LEVEL: 'warn',
        PORT: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (STARTED.test(text)) {
        child.kill('SIGTERM');
      }
    });
    await once(child, 'close');
    expect(text).toMatch(STARTED);
    return text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { message: string }).message);
  }

  it.each(['all', 'worker'])(
    'as %s warns once of the test environment, and once of missing admins',
    async (ROLE) => {
      const warnings = await warningsOf({ ROLE });
      expect(warnings.sort()).toEqual([expect.stringMatching(NO_ADMIN), expect.stringMatching(TEST)]);
    },
  );

  it('in live, with an admin, warns of nothing, and later needs no ADMIN_EMAIL', async () => {
    const live = { SERVICE_ENVIRONMENT: 'live' };
    const admin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'a long and lovely password' };
    const logged = jest.spyOn(Logger.prototype, 'warn');
    const kept = { url: database.url, drop: () => Promise.resolve() };
    for (const environment of [{ ...live, ...admin }, live]) {
      await (await TestService.start(environment, kept)).stop();
      // What the process logs besides, as the tests above show.
      const { warnings } = Configuration.read({ DATABASE_URL: database.url, JWT_SECRET, ...environment });
      expect([warnings, logged.mock.calls]).toEqual([[], []]);
    }
  });
});
