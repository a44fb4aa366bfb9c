import type { Locator } from 'playwright-core';
import { usd } from '../../console/src/api/money';
import { callAs } from '../support/api/call-as';
import { createAccount, World } from '../support/api/world';
import type { ConsolePage } from '../support/browser/console-page';
import { ConsoleService, HOLDER_VIEWS } from '../support/browser/console-service';
import { paymentInReview } from '../support/payments/chain-looks';
import { HttpsReceiver } from '../support/receiver/https-receiver';
import { until } from '../support/until';
import { inTurn, playNextStream, TEXT_CHUNK, untilAborted } from '../support/upstream/fake-stream';

const SECOND_MS = 1000;
const PASSWORD_IS_OLD_MS = 11 * 60 * SECOND_MS;
/** So many tokens cost 9 cents: a chat that may have them begins as long as that much of its cap is left. */
const TOKENS_OF_NINE_CENTS = '9000';
const CHATS_MAX = 12;

let scene: ConsoleService;
let receiver: HttpsReceiver;
beforeAll(async () => {
  receiver = await HttpsReceiver.start();
  scene = await ConsoleService.start(receiver.environment);
  scene.work();
});
afterAll(async () => {
  await scene?.stop();
  await receiver?.close();
});

describe('limits in the console', () => {
  it('chats until the cap of the key says no, tells so in plain words, and loses nothing', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Playground');
    await page.getByLabel('The key may spend').selectOption('0.10');
    await console.button('Use an example');
    await page.getByLabel('Most tokens of an answer').fill(TOKENS_OF_NINE_CENTS);
    const refusal = page.getByRole('alert');
    const charged = page.locator('main ol').getByText('charged');
    let chats = 0;
    while (chats < CHATS_MAX && !(await refusal.isVisible())) {
      await page.getByLabel('Message', { exact: true }).fill(`When does the library open, time ${chats}?`);
      await console.button('Send');
      chats += 1;
      const isOver = async () => (await charged.count()) === chats || (await refusal.isVisible());
      await until('the chat is over', isOver);
    }
    const asked = chats - 1;
    expect(asked).toBeGreaterThan(0);
    const said = (await refusal.innerText()).replaceAll('\n', ' ');
    expect(said).toContain('A spending limit is reached');
    expect(said).toMatch(/This key may spend \$0\.10 a month, and has spent \$0\.\d+ of it\./);
    expect(said).toMatch(/This call may cost up to \$0\.0\d+\. The limit begins anew \w/);
    expect(said).toContain('Nothing was charged, and what you wrote is still here.');
    expect(await console.barriers()).toEqual([]);
    await console.screenshot('cap-reached');
    // The question that was refused is in its field, those before and their answers above it.
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toContain(`time ${asked}?`);
    expect(
      await page
        .locator('main ol')
        .getByText(/time \d+\?/)
        .count(),
    ).toBe(asked);
    expect(await chargesOf(holder.id)).toBe(asked);

    await console.button('Take a new key');
    await console.button('Send');
    await page.locator('main ol').getByText(`time ${asked}?`).waitFor();
    await until('the last chat is charged', async () => (await charged.count()) === chats);
    expect(await refusal.count()).toBe(0);
    expect(await chargesOf(holder.id)).toBe(chats);

    await page.getByLabel('Message', { exact: true }).fill('A thought to come back to');
    await console.follow('Overview');
    await console.follow('Playground');
    await page.locator('main ol').getByText(`time ${asked}?`).waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('A thought to come back to');
    expect(withoutStatus(console, 402)).toEqual([]);
  });

  it('shows of a chat that was stopped what it was charged, and counts the keys of the playground together', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Playground');
    playNextStream(scene.service, (signal) => inTurn([TEXT_CHUNK], () => untilAborted(signal)));
    await console.button('Use an example');
    await console.button('Send');
    await console.see('At nine.');
    await console.button('Stop');
    const cost = page.locator('main ol').getByText('charged');
    await cost.waitFor();
    const charged = await chargedTo(holder.id);
    expect(charged).toBeGreaterThan(0n);
    expect((await cost.innerText()).replaceAll(/\s/g, '')).toContain(usd(charged));

    const other = await console.tab();
    await other.follow('Playground');
    await other.button('Use an example');
    await other.button('Send');
    await other.see('charged');
    await until('both keys are charged', async () => (await keysCharged(holder.id)) === 2);
    await other.follow('Overview');
    const ranks = other.page.getByRole('list', { name: 'By access key' });
    await ranks.getByText('2 calls').waitFor();
    expect(await ranks.getByText('Console').count()).toBe(1);
  });

  it('stays readable with a balance of 0, every limit of its keys reached and no call left', async () => {
    const holder = await spentAccount();
    const console = await scene.openAs(holder);
    const { page } = console;
    const found: Record<string, unknown> = {};
    for (const path of HOLDER_VIEWS) {
      await console.view(path);
      const alerts = await page.getByRole('alert').allInnerTexts();
      const barriers = await console.barriers();
      if (alerts.length > 0 || barriers.length > 0) {
        found[path] = { alerts, barriers };
      }
      await console.screenshot(`spent-${path}`);
    }
    expect(found).toEqual({});
    await console.view('overview');
    await console.see('There is no credit');
    await console.see('Nothing left');
    await console.view('keys');
    await console.see('$0.0002 / $0.0002');
    await console.see(/^Used up\. Begins anew /);
    await console.view('playground');
    await console.button('Use an example');
    await console.button('Send');
    await console.see('Insufficient credits');
    await console.see(/Top up the balance/);
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toContain('library');
    expect(withoutStatus(console, 402)).toEqual([]);
  });
});

describe('a search in the console', () => {
  it('heads what it finds by the title of the document', async () => {
    const world = await World.create(scene.service);
    await callAs('indexRagDocument', world, {
      body: { content: 'The warranty covers two years.', metadata: { title: 'Warranty terms' } },
    });
    const console = await scene.openAs(world.owner);
    await console.view('search');
    await console.page.getByLabel('Question').fill('What does the warranty cover?');
    await console.button('Find passages');
    await console.see('[1] Warranty terms');
    expect(console.complaints).toEqual([]);
    await console.view('search?collection=none');
    await console.see('Nothing matches these filters');
  });
});

describe('webhooks in the console', () => {
  it('shows what was sent and answered where a delivery fails, and retries it', async () => {
    const [, holder] = await scene.accounts();
    receiver.reaction = { kind: 'answer', status: 500, body: 'no room' };
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    await page.getByLabel('Address').fill(receiver.url());
    await console.button('Save');
    await console.see(/whsec_/);
    await console.button('I have copied it');
    await console.follow(receiver.url());
    await page.getByRole('button', { name: 'Send test event' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event').selectOption('balance.low');
    await dialog.getByRole('button', { name: 'Send test event' }).click();
    await until('the receiver was asked', () => receiver.requests.length > 0);
    await page.getByRole('cell', { name: 'Given up', exact: true }).waitFor();
    // What has arrived leaves this list, and not its own dialogue.
    await page.getByLabel('Status').selectOption('failed');
    await console.button('Details');
    const [sent] = receiver.requests;
    await dialog.getByText('The receiver answered with status 500.').waitFor();
    await expectAttempts(dialog, ['500']);
    const body = dialog.getByLabel('Body', { exact: true });
    expect(JSON.parse(await body.innerText())).toEqual(JSON.parse(String(sent?.body)));
    const headers = await dialog.getByLabel('Headers').innerText();
    expect(headers).toContain(`X-Service-Signature: ${String(sent?.headers['x-service-signature'])}`);
    expect(headers).toContain(`webhook-signature: ${String(sent?.headers['webhook-signature'])}`);
    await dialog.getByRole('button', { name: 'Copy: Body' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(String(sent?.body));
    expect(await console.barriers()).toEqual([]);
    await console.screenshot('delivery-failed');

    receiver.reaction = { kind: 'answer', status: 200, body: '<b>thanks</b>' };
    await dialog.getByRole('button', { name: 'Retry now' }).click();
    await dialog.getByText('Delivered', { exact: true }).waitFor();
    await expectAttempts(dialog, ['500', '200']);
    expect(await dialog.getByLabel('What the receiver answered').innerText()).toBe('<b>thanks</b>');
    expect(receiver.requests.map((request) => String(request.body))).toEqual([
      String(sent?.body),
      String(sent?.body),
    ]);
    await console.screenshot('delivery-retried');
    expect(console.complaints).toEqual([]);
  });
});

describe('an operator in the console', () => {
  it('approves an upgrade, which the page of its holder then says', async () => {
    const holder = await createAccount(scene.service, { creditUsd: '5', tier: 'free' });
    const [admin] = await scene.accounts();
    const own = await scene.openAs(holder);
    await own.follow('Rate limits');
    await own.page.getByLabel('Tier', { exact: true }).selectOption('pro');
    await own.page.getByLabel('What you need it for').fill('We launch next month.');
    await own.button('Send request');
    await own.see('Your request is with the operator.');
    await own.page.getByRole('cell', { name: 'Waiting' }).waitFor();

    const console = await scene.openAs(admin);
    const { page } = console;
    await console.follow('Upgrade requests');
    await page
      .getByRole('row')
      .filter({ hasText: holder.email })
      .getByRole('button', { name: 'Approve' })
      .click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('Note').fill('They pay.');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: holder.email }).getByText('Approved').waitFor();

    // Nobody reloads the page to learn of it.
    await own.page.getByRole('cell', { name: 'Approved' }).waitFor({ timeout: 30 * SECOND_MS });
    await own.page.getByText('Pro', { exact: true }).filter({ visible: true }).first().waitFor();
    await own.page.getByText('Your request is with the operator.').waitFor({ state: 'detached' });
    expect(await own.page.getByLabel('Tier', { exact: true }).locator('option').allInnerTexts()).toEqual([
      'Enterprise',
    ]);
    await own.screenshot('upgraded');
    expect([...console.complaints, ...own.complaints]).toEqual([]);
  });

  it('resolves a payment in review, after the password is given once more', async () => {
    const world = await World.create(scene.service);
    const payment = await paymentInReview(world);
    const console = await scene.openAs(world.admin);
    const { page } = console;
    await console.follow('Payments');
    await page.getByLabel('Status').selectOption('review');
    await page
      .getByRole('row')
      .filter({ hasText: payment.accountId.slice(0, 8) })
      .getByRole('button')
      .click();
    await console.see('A credited transfer is no longer on the chain.');
    await page.getByLabel('What you found').fill('A double spend.');
    await page.getByLabel('Add to the balance (USD)').fill('50');
    await page.getByLabel('Take instead of add').check();
    scene.service.clock.advance(PASSWORD_IS_OLD_MS);
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve', exact: true }).click();
    const prompt = page.getByRole('dialog', { name: 'Confirm your password' });
    await prompt.getByLabel('Password').press('Escape');
    await prompt.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve', exact: true }).click();
    await prompt.getByLabel('Password').fill(world.admin.password);
    await prompt.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await console.see('Nothing matches these filters');
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    await console.follow('Audit log');
    await console.see('End the review of a payment');

    const own = await scene.openAs(world.owner);
    await own.follow('Transactions');
    await own.page.getByRole('row').filter({ hasText: 'Adjustment' }).getByText('−$50.00').waitFor();
    expect(console.complaints.filter((complaint) => !complaint.includes('status of 403'))).toEqual([]);
    expect(own.complaints).toEqual([]);
  });

  it('disables an account, whose open console then says so', async () => {
    const [admin, holder] = await scene.accounts();
    const own = await scene.openAs(holder);
    const console = await scene.openAs(admin);
    const { page } = console;
    await console.view(`operator/accounts/${holder.id}`);
    await console.button('Change');
    await page.getByLabel('Account is active').uncheck();
    await page.getByLabel('Reason').fill('stolen cards');
    await console.button('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Disabled', { exact: true }).waitFor();

    await own.follow('Access keys');
    await own.see('Your session has ended');
    await own.see(/the operator may have closed the account/);
    await own.page.getByLabel('E-mail address').fill(holder.email);
    await own.page.getByLabel('Password', { exact: true }).fill(holder.password);
    await own.button('Log in');
    await own.page.getByRole('alert').waitFor();
    expect(console.complaints).toEqual([]);
    expect(own.complaints.filter((complaint) => !/status of 40[13]/.test(complaint))).toEqual([]);
  });
});

describe('a page that sleeps', () => {
  it('shows a payment that was credited meanwhile when it wakes', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Top up');
    await page.getByText('$25', { exact: true }).click();
    await console.button('Show payment details');
    await console.heading('Payment');
    await console.see('Live');
    const id = page.url().split('/').at(-1) ?? '';
    await page.context().setOffline(true);
    const request = { params: { payment_id: id }, credential: holder.token };
    await until('the payment is credited', async () => {
      const { body } = await scene.service.call('confirmPayment', request);
      return body.status === 'confirmed';
    });
    expect(await page.getByText('Your balance was credited').count()).toBe(0);
    await page.context().setOffline(false);
    await console.see('Your balance was credited');
    await console.follow('Top up');
    await console.see('$30.00');
    expect(
      console.complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED')),
    ).toEqual([]);
  });
});

/** An account of the free tier without credit, whose only key has spent its limit, and whose programs may not call for a minute. */
async function spentAccount() {
  const { service } = scene;
  const holder = await createAccount(service, { creditUsd: '0.0002', tier: 'free' });
  const { key: credential, keyId: key_id, token } = holder;
  const limits = { daily_limit: 0.0002, monthly_limit: 0.0002 };
  await service.call('setKeyLimits', { credential: token, params: { key_id }, body: limits });
  for (const key of ['one', 'two']) {
    service.clock.advance(5 * SECOND_MS);
    const memory = await service.call('createMemory', { credential, body: { key, value: 'a memory' } });
    expect(memory.status).toBe(201);
  }
  service.clock.advance(5 * SECOND_MS);
  const refused = await service.call('createMemory', {
    credential,
    body: { key: 'three', value: 'another' },
  });
  expect(refused.status).toBe(402);
  let status = 200;
  for (let calls = 0; status !== 429 && calls < 20; calls += 1) {
    ({ status } = await service.call('listTasks', { credential }));
  }
  expect(status).toBe(429);
  return holder;
}

/** How many calls of an account were charged, by the ledger. */
async function chargesOf(accountId: string): Promise<number> {
  const rows: unknown[] = await scene.service.database.query(
    `SELECT FROM ledger_entries WHERE account_id = $1 AND type = 'charge'`,
    [accountId],
  );
  return rows.length;
}

async function chargedTo(accountId: string): Promise<bigint> {
  const [row] = await scene.service.database.query<{ charged: string }[]>(
    `SELECT (-sum(amount_nano))::text AS charged FROM ledger_entries WHERE account_id = $1 AND type = 'charge'`,
    [accountId],
  );
  return BigInt(row?.charged ?? 0);
}

async function keysCharged(accountId: string): Promise<number> {
  const rows: unknown[] = await scene.service.database.query(
    'SELECT DISTINCT key_id FROM calls WHERE account_id = $1 AND charged_nano > 0',
    [accountId],
  );
  return rows.length;
}

/** The attempts that a dialogue shows, by the status of the answer of each. */
async function expectAttempts(dialog: Locator, statuses: readonly string[]): Promise<void> {
  const attempts = dialog.getByRole('listitem');
  await attempts.nth(statuses.length - 1).waitFor();
  const texts = await attempts.allInnerTexts();
  expect(texts.map((text) => /\b\d{3}\b(?= ?\d+ ms|\n)/.exec(text)?.[0])).toEqual(statuses);
}

/** What the browser complained of but for answers of a status, each of which it reports. */
function withoutStatus({ complaints }: ConsolePage, status: number): string[] {
  return complaints.filter((complaint) => !complaint.includes(`status of ${status}`));
}
