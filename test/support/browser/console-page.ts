import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { until } from '../until';

const SCREENSHOTS = join(__dirname, '../../../.cache/screenshots');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** How long a page asks for nothing that has everything. */
const QUIET_MS = 100;

export interface Reader {
  width: number;
  isDark?: boolean;
}

/** The console as somebody uses it, with everything noted that the browser complains of. */
export class ConsolePage {
  /** Errors and warnings of the browser's console, what its policy stopped, and exceptions. */
  readonly complaints: string[] = [];
  /** Paths of the API that the page has called. */
  readonly calls: string[] = [];

  /** Requests that have not ended, but for streams, which never do. */
  private readonly underWay = new Set<Request>();

  private constructor(readonly page: Page) {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) {
        this.complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:api|v1)\//.test(pathname)) {
        this.calls.push(`${request.method()} ${pathname}`);
      }
      if (!pathname.endsWith('/events')) {
        this.underWay.add(request);
      }
    });
    page.on('requestfinished', (request) => this.underWay.delete(request));
    page.on('requestfailed', (request) => this.underWay.delete(request));
  }

  /** Where a browser is led from the service's address. */
  static async open(browser: Browser, url: string, { width, isDark = false }: Reader): Promise<ConsolePage> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: isDark ? 'dark' : 'light',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(10_000);
    const console = new ConsolePage(await context.newPage());
    await console.page.goto(url);
    return console;
  }

  /** Another tab of the same browser at the same address. */
  async tab(): Promise<ConsolePage> {
    const console = new ConsolePage(await this.page.context().newPage());
    await console.page.goto(this.page.url());
    return console;
  }

  async logIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.button('Log in');
    await this.heading('Overview');
  }

  async button(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  async follow(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).first().click();
  }

  async heading(name: string | RegExp): Promise<void> {
    await this.shown(this.page.getByRole('heading', { level: 1, name }));
  }

  async see(text: string | RegExp): Promise<void> {
    await this.shown(this.page.getByText(text).filter({ visible: true }).first());
  }

  /** What the page shows instead is what tells why. */
  private async shown(locator: Locator): Promise<void> {
    await locator.waitFor().catch(async (cause: unknown) => {
      const text = await this.page.locator('body').innerText();
      throw new Error(`the page shows: ${text}\ncomplaints: ${this.complaints.join('\n')}`, { cause });
    });
  }

  /**
   * Opens a view by its address and waits until nothing is on its way any more.
   * @returns after how many milliseconds everything was there
   */
  async view(path: string): Promise<number> {
    const startedAtMs = performance.now();
    let thereAtMs = startedAtMs;
    await this.page.evaluate(`location.hash = '/${path}'`);
    await this.page.locator('main h1').waitFor();
    // A part that has come may ask for more.
    await until(`${path} is there`, async () => {
      const isLoading = this.underWay.size > 0 || (await this.page.locator('[role=status]').count()) > 0;
      thereAtMs = isLoading ? performance.now() : thereAtMs;
      return performance.now() - thereAtMs > QUIET_MS;
    });
    return Math.round(thereAtMs - startedAtMs);
  }

  /** By how many pixels the page is wider than its window: what a reader has to scroll sideways. */
  async excessPx(): Promise<number> {
    return this.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  /** The same of its widest table within its own region. */
  async tableExcessPx(): Promise<number> {
    return this.page.evaluate(
      "Math.max(...[...document.querySelectorAll('[role=region]')].map((table) => table.scrollWidth - table.clientWidth))",
    );
  }

  /** What axe finds: each rule that is broken, and where. */
  async barriers(): Promise<string[]> {
    // What is fading in has less contrast than it will have.
    await this.page.evaluate(
      'Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))',
    );
    if ((await this.page.evaluate('typeof axe')) === 'undefined') {
      await this.page.evaluate(AXE);
    }
    return this.page.evaluate(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    );
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `console-${name}.png`), fullPage: true });
  }
}
