import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledService } from '../support/processes/compiled-service';
import { runningProcesses } from '../support/processes/running-processes';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';

const KILLS = depth('EMBEDDED_SERVICE_KILLS', { short: 1, deep: 10 });
const WRITES_BEFORE_KILL = 25;

/** A client that remembers what the service has acknowledged. */
class Client {
  readonly acknowledged = new Map<string, string>();
  service: CompiledService | null = null;
  key = '';

  /** Registers an account with credit and no rate limits, as an admin would. */
  async setUp(dataFolder: string): Promise<void> {
    const admin = await this.login(JSON.parse(await readFile(join(dataFolder, 'admin.json'), 'utf8')));
    const credentials = { email: 'ada@example.com', password: 'a long and lovely password' };
    const user = await this.send('POST', '/api/auth/register', { ...credentials, username: 'ada' });
    await this.send('PUT', `/api/admin/users/${user.id}`, { tier: 'enterprise' }, admin);
    await this.send(
      'POST',
      '/api/payments/credits/add',
      { user_id: user.id, amount_usd: 5, reason: 'test' },
      admin,
    );
    const { key_value } = await this.send(
      'POST',
      '/api/keys',
      { name: 'test' },
      await this.login(credentials),
    );
    this.key = key_value ?? '';
  }

  /** Writes until the service is gone. */
  async writeUntilGone(prefix: string, killAfter: () => void): Promise<void> {
    for (let index = 0; ; index += 1) {
      const body = { namespace: prefix, key: `k${index}`, value: `v${index}` };
      const response = await this.service
        ?.post('/api/hub/memory', body, { 'x-api-key': this.key })
        .catch(() => null);
      if (response?.status !== 201) {
        return;
      }
      const { data } = (await response.json().catch(() => ({ data: null }))) as {
        data: { id: string } | null;
      };
      if (data) {
        this.acknowledged.set(data.id, body.value);
      }
      if (index === WRITES_BEFORE_KILL) {
        killAfter();
      }
    }
  }

  async lost(): Promise<string[]> {
    const lost: string[] = [];
    for (const [id, value] of this.acknowledged) {
      const response = await fetch(`${this.service?.url}/api/hub/memory/${id}`, {
        headers: { 'x-api-key': this.key },
      });
      const body = (await response.json()) as { data?: { value: string } };
      if (body.data?.value !== value) {
        lost.push(id);
      }
    }
    return lost;
  }

  private async login(credentials: unknown): Promise<string> {
    return (await this.send('POST', '/api/auth/login', credentials)).token ?? '';
  }

  private async send(
    method: string,
    path: string,
    body: unknown,
    token = '',
  ): Promise<Record<string, string>> {
    const response = await fetch(`${this.service?.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    expect(`${path} ${response.ok}`).toBe(`${path} true`);
    return (await response.json()) as Record<string, string>;
  }
}

describe('an embedded service that is killed again and again', () => {
  const dataFolder = join(tmpdir(), `embedded-service-${randomBytes(6).toString('hex')}`);
  afterAll(async () => rm(dataFolder, { recursive: true, force: true }));

  it('leaves no Postgres process and loses no acknowledged write', async () => {
    await mkdir(dataFolder);
    const client = new Client();
    client.service = await CompiledService.start({ DATA_DIR: dataFolder });
    await client.setUp(dataFolder);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const service = client.service;
      let killed: Promise<void> = Promise.resolve();
      await client.writeUntilGone(`kill-${kill}`, () => {
        killed = service.kill();
      });
      await killed;
      await until('Postgres is gone', () => postgresOf(dataFolder).length === 0);
      client.service = await CompiledService.start({ DATA_DIR: dataFolder });
    }
    expect(client.acknowledged.size).toBeGreaterThanOrEqual(KILLS * WRITES_BEFORE_KILL);
    expect(await client.lost()).toEqual([]);
    await client.service.stop();
    expect(postgresOf(dataFolder)).toEqual([]);
  }, 600_000);
});

function postgresOf(dataFolder: string): string[] {
  return runningProcesses()
    .map(({ command }) => command)
    .filter((command) => command.includes(dataFolder));
}
