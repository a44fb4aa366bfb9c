import type { Locator } from 'playwright-core';

/** What the page shows of an answer. */
export interface ShownAnswer {
  status: number;
  text: string;
  /** One line for each header. */
  headers: string;
  /** The command by which the page says that the call can be repeated. */
  curl: string;
  /** The text as the JSON that it has to be. */
  body(): Record<string, unknown>;
}

/** One operation of Swagger UI, unfolded. */
export class ShownOperation {
  constructor(private readonly block: Locator) {}

  /** The text above the parameters. */
  async description(): Promise<string> {
    return this.block.locator('.opblock-description').innerText();
  }

  /** The body that "Try it out" begins with. */
  async exampleBody(): Promise<string> {
    await this.tryOut();
    return this.block.locator('textarea.body-param__text').inputValue();
  }

  /** Executes the operation as the page has filled it in, or with this body, and reads the answer that is then shown. */
  async execute(body?: unknown): Promise<ShownAnswer> {
    await this.tryOut();
    if (body !== undefined) {
      await this.block.locator('textarea.body-param__text').fill(JSON.stringify(body, null, 2));
    }
    return this.send();
  }

  /** Chooses a file for the form, whose other fields stay as the page has filled them in, and executes the operation. */
  async upload(file: { name: string; text: string }): Promise<ShownAnswer> {
    await this.tryOut();
    const buffer = Buffer.from(file.text);
    const field = this.block.locator('input[type=file]');
    await field.setInputFiles({ name: file.name, mimeType: 'text/plain', buffer });
    return this.send();
  }

  private async tryOut(): Promise<void> {
    const button = this.block.getByRole('button', { name: 'Try it out' });
    if (await button.isVisible()) {
      await button.click();
    }
  }

  private async send(): Promise<ShownAnswer> {
    const answer = this.block.locator('.live-responses-table');
    // The answer before this one would be taken for its answer.
    const clear = this.block.getByRole('button', { name: 'Clear', exact: true });
    if (await clear.isVisible()) {
      await clear.click();
      await answer.waitFor({ state: 'detached' });
    }
    await this.block.getByRole('button', { name: 'Execute' }).click();
    await answer.waitFor();
    const text = await answer.locator('.highlight-code code').first().innerText();
    return {
      status: Number(await answer.locator('tbody .response-col_status').first().innerText()),
      text,
      headers: await answer.locator('pre:has(.headerline)').innerText(),
      curl: await this.block.locator('pre.curl').innerText(),
      body: () => JSON.parse(text) as Record<string, unknown>,
    };
  }
}
