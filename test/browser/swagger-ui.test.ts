import type { Browser } from 'playwright-core';
import { TestService } from '../support/api/service';
import { openBrowser } from '../support/browser/browser';
import { DocumentationPage } from '../support/browser/documentation-page';
import { ledgerFaults } from '../support/ledger/ledger-faults';

const ADA = { email: 'ada@example.com', password: 'a long and lovely password', username: 'ada' };
const WELCOME_CREDIT_USD = 5;
const TELEPHONE = { width: 390, height: 844 };

let service: TestService;
let browser: Browser;
let url: string;
beforeAll(async () => {
  service = await TestService.start({ WELCOME_CREDIT_USD: String(WELCOME_CREDIT_USD) });
  await service.app.listen(0, '127.0.0.1');
  url = await service.app.getUrl();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  expect(await ledgerFaults(service.database)).toEqual([]);
  await service.stop();
});

describe('Swagger UI', () => {
  let page: DocumentationPage;
  beforeAll(async () => {
    page = await DocumentationPage.open(browser, url);
  });
  beforeEach(() => {
    // Each test has a minute of its own of the calls that one address and one account may make.
    service.clock.advance(60_000);
    page.complaints.length = 0;
  });

  it('opens without a complaint of the browser, and lists every group', async () => {
    await page.screenshot('1-opened');
    expect(await page.page.title()).toBe('Credit-Metered AI API');
    expect(await page.groups()).toEqual(
      expect.arrayContaining(['auth', 'keys', 'v1', 'documents', 'health']),
    );
    expect(page.complaints).toEqual([]);
  });

  it('shows the 401 of an operation that wants an authorisation', async () => {
    const refused = await (await page.operation('createKey')).execute();
    expect([refused.status, refused.body().error]).toEqual([401, 'Missing token']);
    expect(page.complaints).toEqual([expect.stringContaining('status of 401')]);
  });

  it('shows the 400 of a body that is not as documented, and which field is at fault', async () => {
    const refused = await (await page.operation('register')).execute({ ...ADA, password: 'short' });
    await page.screenshot('2-refused');
    expect([refused.status, refused.body().details]).toEqual([
      400,
      [{ field: 'password', message: 'must be at least 8 characters long; 12 or more are recommended' }],
    ]);
    expect(page.complaints).toEqual([expect.stringContaining('status of 400')]);
  });

  it('says what an operation costs, how often it may be called, and what each credential opens', async () => {
    const chat = await page.operation('createChatCompletion');
    expect(await chat.description()).toMatch(
      /Price: Chat completion, 0\.0020 USD a call and 0\.00001 USD a token of input and output; .*\nRate: LLM generation, 0\.2 ×/,
    );
    await page.screenshot('3-price-and-rate');
    expect(await page.schemes()).toEqual({
      accessKey: expect.stringContaining('opens the AI operations'),
      accessKeyBearer: expect.stringContaining('The same access key'),
      accountToken: expect.stringContaining('opens the operations of an account'),
    });
  });

  it('leads from the registration to a key, a chat, a stream and a document', async () => {
    const registered = await (await page.operation('register')).execute(ADA);
    expect([registered.status, registered.body().username]).toEqual([201, 'ada']);
    const { email, password } = ADA;
    const session = await (await page.operation('login')).execute({ email, password });
    await page.authorize('accountToken', String(session.body().token));
    await page.screenshot('4-authorised');
    const created = await (await page.operation('createKey')).execute();
    expect(created.status).toBe(201);
    const key = String(created.body().key_value);
    await page.authorize('accessKey', key);
    // A free account may make one call a second, with whatever it has.
    service.clock.advance(1_000);

    const chat = await page.operation('createChatCompletion');
    const example = JSON.parse(await chat.exampleBody()) as object;
    const answered = await chat.execute();
    expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('opens at nine.')]);
    expect(answered.headers).toMatch(/x-request-cost: 0\.00235 /);
    // Both credentials are filled in; the operation is sent the one that it takes.
    expect(answered.curl).toContain(`X-API-Key: ${key}`);
    expect(answered.curl).not.toContain('Authorization');

    await page.authorize('accessKeyBearer', key);
    service.clock.advance(60_000);
    // Swagger UI shows a stream when it has ended, as the text of its events.
    const streamed = await chat.execute({ ...example, stream: true });
    await page.screenshot('5-stream');
    const events = streamed.text.split('\n').filter((line) => line !== '');
    expect([streamed.status, events.at(-1)]).toEqual([200, 'data: [DONE]']);
    expect(events.at(-2)).toBe(`: cost=0.00235 tokens=35 balance=${WELCOME_CREDIT_USD - 2 * 0.00235}`);
    expect(textOf(events)).toBe('The library opens at nine.');

    service.clock.advance(60_000);
    const upload = await page.operation('uploadDocument');
    const stored = await upload.upload({ name: 'minutes.txt', text: 'The board meets at nine.' });
    await page.screenshot('6-upload');
    const { name, title, metadata } = stored.body().data as Record<string, unknown>;
    expect([stored.status, name, title, metadata]).toEqual([
      201,
      'minutes.txt',
      'Minutes of the board',
      { project: 'harbour' },
    ]);

    service.clock.advance(60_000);
    // A list, with the values of its parameters that the page fills in.
    const keys = await (await page.operation('listKeys')).execute();
    expect([keys.status, keys.text]).toEqual([200, expect.stringContaining(String(created.body().id))]);
    expect(page.complaints).toEqual([]);
  });

  it('fits a telephone, with all that was executed unfolded', async () => {
    await page.resize(TELEPHONE);
    expect(await page.excessPx()).toBe(0);
    expect((await (await page.operation('listKeys')).execute()).status).toBe(200);
    await page.screenshot('7-telephone');
    await page.logout('accountToken');
    expect((await (await page.operation('listKeys')).execute()).status).toBe(401);
    expect(await page.excessPx()).toBe(0);
  });
});

/** The text that the events of a chat add up to. */
function textOf(lines: readonly string[]): string {
  return lines
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as ChatEvent)
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}

interface ChatEvent {
  choices: { delta: { content?: string } }[];
}
