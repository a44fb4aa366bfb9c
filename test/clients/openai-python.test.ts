import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { FOLDER, pythonPackages } from './tools';

const packages = pythonPackages();
const test = packages === null ? it.skip : it;

describe("the guide's program for the openai package of Python", () => {
  let service: TestService;
  let world: World;
  let url: string;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    url = await service.app.getUrl();
    world = await World.create(service);
  });
  afterAll(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
    await service.stop();
  });

  test('is told that a key is not valid', async () => {
    expect(await run('svc_test_wrong')).toMatch(/^401 invalid_api_key [\w-]{36}\n$/);
  });

  test('is told what a call would cost that the balance does not cover', async () => {
    await world.setBalanceUsd(world.stranger, '0.001');
    expect(await run(world.stranger.key)).toMatch(/^402 insufficient_credits [\w-]{36}\n$/);
  });

  test('gets an answer with its cost, and a stream', async () => {
    const before = await world.balanceNanoUsd();
    const printed = await run(world.owner.key);
    const [, cost = ''] =
      /^The library opens at nine\. for (0\.002\d*) USD\nThe library opens at nine\.$/.exec(printed) ?? [];
    expect([printed, Number(cost)]).toEqual([printed, Number(before - (await world.balanceNanoUsd())) / 2e9]);
  });

  async function run(key: string): Promise<string> {
    const guide = readFileSync(join(FOLDER, '../../docs/clients.md'), 'utf8');
    const [, program = ''] = /```python\n(import os[^]*?)```/.exec(guide) ?? [];
    const environment = { ...process.env, KEY: key, API: url, PYTHONPATH: packages ?? '' };
    return (await promisify(execFile)('python3', ['-c', program], { env: environment })).stdout;
  }
});
