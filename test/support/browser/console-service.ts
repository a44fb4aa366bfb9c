import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBackgroundWork } from '../../../src/application';
import { TestService } from '../api/service';
import { createAccount, type TestAccount } from '../api/world';
import { ledgerFaults } from '../ledger/ledger-faults';
import { openBrowser } from './browser';
import { ConsolePage, type Reader } from './console-page';

const ROOT = join(__dirname, '../../..');
const TICK_MS = 100;
/** How much faster than the browser's the service's clock goes. */
const SPEED = 5;
const DESK = { width: 1280 };

/** A service on a port of its own with the console as it is built, and a browser that opens it. */
export class ConsoleService {
  private constructor(
    readonly service: TestService,
    readonly url: string,
    private readonly browser: Browser,
    private readonly ticking: NodeJS.Timeout,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<ConsoleService> {
    execFileSync(process.execPath, ['scripts/build-console.mjs'], { cwd: ROOT, stdio: 'inherit' });
    const service = await TestService.start(environment);
    // The page shows what is past and what is to come by the browser's own clock.
    service.clock.set(new Date().toISOString());
    // Rates are counted by the service's clock, and a page goes on asking while it is open.
    const ticking = setInterval(() => service.clock.advance(TICK_MS * SPEED), TICK_MS);
    await service.app.listen(0, '127.0.0.1');
    return new ConsoleService(service, await service.app.getUrl(), await openBrowser(), ticking);
  }

  /** From now on it delivers events and does whatever else nobody waits for. */
  work(): void {
    startBackgroundWork(this.service.app, 'all');
  }

  /** The service's address in a browser that nobody has used before. */
  async open(reader: Reader = DESK): Promise<ConsolePage> {
    return ConsolePage.open(this.browser, this.url, reader);
  }

  /** The console of an account that has logged in there. */
  async openAs({ email, password }: TestAccount, reader?: Reader): Promise<ConsolePage> {
    const console = await this.open(reader);
    await console.logIn(email, password);
    return console;
  }

  /** An operator, and an account holder with 5 USD. */
  async accounts(): Promise<[admin: TestAccount, holder: TestAccount]> {
    const admin = await createAccount(this.service, { creditUsd: '0', role: 'admin' });
    return [admin, await createAccount(this.service, { creditUsd: '5' })];
  }

  /** Stops all, and expects the books to be right. */
  async stop(): Promise<void> {
    clearInterval(this.ticking);
    await this.browser.close();
    expect(await ledgerFaults(this.service.database)).toEqual([]);
    await this.service.stop();
  }
}

/** What an account holder can open. */
export const HOLDER_VIEWS = [
  ...[
    'overview',
    'playground',
    'requests',
    'top-up',
    'transactions',
    'prices',
    'keys',
    'webhooks',
    'documents',
  ],
  ...['search', 'agents', 'tasks', 'limits', 'account'],
];

/** What only operators can. */
export const OPERATOR_VIEWS = [
  ...['business', 'accounts', 'upgrades', 'payments', 'health', 'deliveries', 'reconciliation', 'audit'],
].map((name) => `operator/${name}`);
