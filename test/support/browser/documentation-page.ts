import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { OperationId } from '../api/service';
import { operationOf } from '../api/published-document';
import { ShownOperation } from './shown-operation';

/** Ignored by git: what a test saw, for whoever wants to see it too. */
const SCREENSHOTS = join(__dirname, '../../../.cache/screenshots');

/** Swagger UI as somebody uses it who has opened /docs in a browser. */
export class DocumentationPage {
  /** What the browser's console was told of faults: errors, warnings, and whatever the content security policy stopped. */
  readonly complaints: string[] = [];

  private constructor(readonly page: Page) {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) {
        this.complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  static async open(browser: Browser, url: string): Promise<DocumentationPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    // What hangs is ended by jest.
    context.setDefaultTimeout(0);
    const documentation = new DocumentationPage(await context.newPage());
    await documentation.page.goto(`${url}/docs`);
    await documentation.page.locator('#operations-tag-auth').waitFor();
    return documentation;
  }

  async resize(viewport: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(viewport);
  }

  /** The names of the groups of operations that the page lists. */
  async groups(): Promise<string[]> {
    return this.page.locator('.opblock-tag a').allInnerTexts();
  }

  /** Unfolds an operation and its group, unless they are unfolded. */
  async operation(operationId: OperationId): Promise<ShownOperation> {
    const { tag } = operationOf(operationId).policy;
    const group = this.page.locator(`#operations-tag-${tag}`);
    if ((await group.getAttribute('data-is-open')) !== 'true') {
      await group.click();
    }
    const block = this.page.locator(`#operations-${tag}-${operationId}`);
    await block.waitFor();
    if (!(await block.locator('.opblock-body').isVisible())) {
      await block.locator('.opblock-summary-control').click();
      await block.locator('.opblock-body').waitFor();
    }
    return new ShownOperation(block);
  }

  /** What the dialogue behind the button "Authorize" says of each scheme, by its name. */
  async schemes(): Promise<Record<string, string>> {
    const dialogue = await this.openDialogue();
    const forms = await dialogue.locator('.auth-container').all();
    const texts = await Promise.all(
      forms.map(async (form) => [await form.locator('code').first().innerText(), await form.innerText()]),
    );
    await dialogue.locator('.close-modal').click();
    await dialogue.waitFor({ state: 'detached' });
    return Object.fromEntries(texts) as Record<string, string>;
  }

  /** Fills a credential into that dialogue. */
  async authorize(scheme: string, credential: string): Promise<void> {
    const dialogue = await this.openDialogue();
    const form = this.formOf(dialogue, scheme);
    await form.getByRole('textbox').fill(credential);
    await form.getByRole('button', { name: 'Apply credentials' }).click();
    await form.getByText('Authorized', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Close' }).click();
    await dialogue.waitFor({ state: 'detached' });
  }

  /** Takes a credential out of that dialogue. */
  async logout(scheme: string): Promise<void> {
    const dialogue = await this.openDialogue();
    await this.formOf(dialogue, scheme).getByRole('button', { name: 'Remove authorization' }).click();
    await dialogue.locator('.close-modal').click();
    await dialogue.waitFor({ state: 'detached' });
  }

  private formOf(dialogue: Locator, scheme: string): Locator {
    const name = this.page.locator('h4 code', { hasText: new RegExp(`^${scheme}$`) });
    return dialogue.locator('.auth-container').filter({ has: name });
  }

  private async openDialogue(): Promise<Locator> {
    await this.page.locator('.auth-wrapper .btn.authorize').click();
    const dialogue = this.page.locator('.modal-ux');
    await dialogue.waitFor();
    return dialogue;
  }

  /** By how many pixels the page is wider than its window: what a reader has to scroll sideways. */
  async excessPx(): Promise<number> {
    return this.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }
}
