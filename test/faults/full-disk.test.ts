import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { OwnPostgres } from '../support/processes/own-postgres';
import { until } from '../support/until';

/** The database is looked at once in this time. */
const LOOKED_AT_EVERY_MS = 1_000;
const DISK_MIB = 256;
const FILL_BYTES = DISK_MIB * 1024 * 1024;
/** A value that no compression shortens much: a full disk is met after a few of them. */
const LARGE = Array.from({ length: 8_000 }, (_, index) => (index * 2_654_435_761).toString(36))
  .join('')
  .slice(0, 50_000);

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
/** Only a disk of its own can be filled without harm to others, and only root may mount one. */
const canMount = mount();

(canMount ? describe : describe.skip)('a database whose disk is full', () => {
  let postgres: OwnPostgres;
  let service: TestService;
  let account: TestAccount;
  let written = 0;

  beforeAll(async () => {
    postgres = await OwnPostgres.start(join(folder, 'data'));
    service = await TestService.start({}, { url: postgres.url, drop: () => Promise.resolve() });
    account = await createAccount(service, { creditUsd: '1' });
  });
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
    execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });

  it('is not ready while priced calls fail, charges none of them, and serves again once there is room', async () => {
    expect((await write()).status).toBe(201);
    expect((await service.call('getReadiness')).status).toBe(200);
    const filler = join(folder, 'filler');
    await writeFile(filler, Buffer.alloc(FILL_BYTES)).catch(expectNoSpace);
    const statuses: number[] = [];
    await until('priced calls fail', async () => {
      statuses.push((await write()).status);
      return statuses.at(-1) !== 201;
    });
    expect([statuses.at(-1), statuses.filter((status) => status !== 201)]).toEqual([503, [503]]);
    let unready = await service.call('getReadiness');
    await until('it is not ready', async () => {
      service.clock.advance(LOOKED_AT_EVERY_MS);
      unready = await service.call('getReadiness');
      return unready.status === 503;
    });
    const { checks } = JSON.parse(unready.text) as { checks: unknown[] };
    expect(checks[0]).toEqual({
      name: 'database',
      status: 'unavailable',
      detail: 'The database cannot write to its disk.',
    });
    expect((await service.call('getBalance', { credential: account.token })).status).toBe(200);

    await rm(filler);
    await until('it is ready', async () => {
      service.clock.advance(LOOKED_AT_EVERY_MS);
      return (await service.call('getReadiness')).status === 200;
    });
    expect((await write()).status).toBe(201);
    expect(await ledgerFaults(service.database)).toEqual([]);
    const [{ count }] = await service.database.query(
      'SELECT count(*) FROM calls WHERE account_id = $1 AND charged_nano > 0',
      [account.id],
    );
    expect(Number(count)).toBe(statuses.length - 1 + 2);
  });

  async function write() {
    written += 1;
    return service.call('createMemory', {
      credential: account.key,
      body: { key: `k${written}`, value: LARGE },
    });
  }
});

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    rmdirSync(folder);
    return false;
  }
}

function expectNoSpace(error: unknown): void {
  expect(error).toMatchObject({ code: 'ENOSPC' });
}
