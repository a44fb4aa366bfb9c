import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';

const README = readFileSync(join(__dirname, '../../README.md'), 'utf8');

describe('the README’s first paid call', () => {
  const folder = mkdtempSync(join(tmpdir(), 'first-call-'));
  let service: TestService;
  // The commands wait by the service's clock.
  const clock = createServer((request, response) => {
    service.clock.advance(Number(request.url?.slice(1)) * 1000);
    response.end();
  });

  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    await new Promise<void>((resolve) => clock.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    clock.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is answered, charged, and made by a key with the limit that the text speaks of', async () => {
    const { email, password } = await createAccount(service, { creditUsd: '0', role: 'admin' });
    mkdirSync(join(folder, '.data'));
    writeFileSync(join(folder, '.data/admin.json'), JSON.stringify({ email, password }));
    const { port } = clock.address() as AddressInfo;
    const program = `sleep() { curl -s "http://127.0.0.1:${port}/$1"; }\n${await commands()}`;

    const { stdout } = await promisify(execFile)('bash', ['-c', program], { cwd: folder });

    expect(stdout).not.toContain('"error"');
    expect(stdout).toContain('"balance_after":5');
    expect(stdout).toContain('"daily_limit":1,');
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK/m);
    expect(stdout).toMatch(/^x-request-cost: 0\.00\d+/m);
    expect(stdout).toContain('The lighthouse was built in 1874.');
  });

  /** The shell commands below the heading, sent to this service. */
  async function commands(): Promise<string> {
    const [, section = ''] = README.split('## The first paid call\n');
    const [, block = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
    const own = block.replace('api=http://127.0.0.1:3000', `api=${await service.app.getUrl()}`);
    expect(own).not.toBe(block);
    return own;
  }
});
