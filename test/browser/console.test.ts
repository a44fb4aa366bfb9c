import { until } from '../support/until';
import { callAs } from '../support/api/call-as';
import { createAccount, type TestAccount, World } from '../support/api/world';
import { ConsoleService, HOLDER_VIEWS, OPERATOR_VIEWS } from '../support/browser/console-service';

const PASSWORD = 'seven silver trains at dawn';
const TELEPHONE = { width: 360, isDark: true };
/** What would run where a name or an answer were put into the page as HTML. */
const SCRIPT = '<img src=x onerror=document.title="ran"><script>document.title="ran"</script>';

const RECEIVER = 'https://example.com/hook';

let scene: ConsoleService;
beforeAll(async () => {
  scene = await ConsoleService.start();
});
afterAll(async () => {
  await scene?.stop();
});

describe('the console', () => {
  it('leads a stranger from the registration to a receipt', async () => {
    const console = await scene.open();
    const { page } = console;
    await console.button('Create account');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    expect(await console.barriers()).toEqual([]);
    await console.button('Create account');
    await console.heading('Overview');
    await console.see('Three steps to the first call');

    await console.follow('Top up');
    await page.getByText('$10', { exact: true }).click();
    await console.button('Show payment details');
    await console.heading('Payment');
    await console.see('sandbox-btc-0');
    const code = page.getByRole('img', { name: /^QR code/ });
    const isDecoded = code.evaluate(async (element) => {
      const image = element as unknown as { decode(): Promise<void>; naturalWidth: number };
      await image.decode();
      return image.naturalWidth > 0;
    });
    await expect(isDecoded).resolves.toBe(true);
    expect(await console.barriers()).toEqual([]);
    await console.button('Play the transfer');
    await console.see('Your balance was credited');
    await console.screenshot('credited');

    await console.follow('Access keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByLabel('Name').fill(SCRIPT);
    await page.getByLabel('A day').fill('0.25');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await console.see(/svc_test_[\w-]{20}/);
    expect(await console.barriers()).toEqual([]);
    await console.button('I have copied it');
    await console.see('$0.00 / $0.25');
    await console.screenshot('key');
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).toMatch(/^\[\{"console\.session":"\d{13}"\},\{\},""\]$/);

    await console.follow('Playground');
    await console.button('Use an example');
    await console.button('Send');
    await console.see(/opens at nine/);
    await console.see('charged');
    await console.screenshot('playground');
    expect(await console.barriers()).toEqual([]);
    const charged = await chargeOf('ada@example.com');
    await console.follow('Receipt');
    await console.heading('Receipt');
    await console.see('This call was charged.');
    await console.see('Answer a conversation');
    await console.see('createChatCompletion');
    expect((await page.locator('main').innerText()).replaceAll('\n', '')).toContain(`$${charged}`);
    await page
      .locator('main')
      .getByRole('link', { name: /^Console/ })
      .waitFor();
    await console.screenshot('receipt');
    await console.follow('Agents');
    await console.heading('Agents');
    await console.follow('Requests');
    // The usage log has a call a moment after it has ended.
    await until('the list of agents is there, which cost nothing', async () => {
      await console.button('Refresh');
      return (await page.getByText('Free', { exact: true }).count()) > 0;
    });
    expect(console.complaints).toEqual([]);
    expect(await page.title()).not.toBe('ran');
  });

  it('adds a webhook, shows its secret once, and lists what is sent to it', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    await page.getByLabel('Address').fill(RECEIVER);
    await page.getByLabel('Description').fill(SCRIPT);
    await console.button('Save');
    await console.see(/whsec_/);
    await console.button('I have copied it');
    await console.see(SCRIPT);
    await console.follow(RECEIVER);
    await page.getByRole('button', { name: 'Send test event' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click();
    await console.button('Details');
    await page.getByRole('dialog').getByText('Waiting').waitFor();
    expect(await console.barriers()).toEqual([]);
    expect(await page.title()).not.toBe('ran');
    expect(console.complaints).toEqual([]);
  });

  it('lets an operator credit an account, and says why in the audit log', async () => {
    const [admin, holder] = await scene.accounts();
    const console = await scene.openAs(admin);
    const { page } = console;
    await console.follow('Accounts');
    await page.getByLabel('E-mail, username or id').fill(holder.email);
    await page.keyboard.press('Enter');
    await console.follow(holder.email);
    await console.button('Add credit');
    await page.getByLabel('Amount (USD)').fill('0.000001');
    await page.getByLabel('Reason').fill('a broken upstream');
    await page.getByRole('dialog').getByRole('button', { name: 'Add credit' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await console.see('0001');
    await console.screenshot('account');
    const balance = await scene.service.call('getBalance', { credential: holder.token });
    expect(balance.body.balance).toBe(5.000001);
    await console.follow('Audit log');
    await console.see('a broken upstream');
    expect(console.complaints).toEqual([]);
  });

  it('leaves with all of its tabs for another account, whichever of them logs in', async () => {
    const [admin, holder] = await scene.accounts();
    const first = await scene.openAs(holder);
    const second = await first.tab();
    await second.see(holder.email);
    await second.button('Log out');
    await first.page.getByLabel('E-mail address').waitFor();
    await second.logIn(holder.email, holder.password);
    await first.see(holder.email);
    await first.button('Log out');
    await second.page.getByLabel('E-mail address').waitFor();
    await first.logIn(admin.email, admin.password);
    await second.see(admin.email);
    expect(await second.page.getByText(holder.email).count()).toBe(0);
  });

  it('takes a day that is typed figure by figure, and reads no amount that means two things', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Requests');
    await page.getByLabel('From').focus();
    await page.keyboard.type('01022026', { delay: 60 });
    await page.waitForURL(/from=2026-01-02/);
    expect(await page.getByLabel('From').inputValue()).toBe('2026-01-02');
    await console.see('Nothing matches these filters');
    await console.button('Show all');
    await console.see('No calls yet');
    expect(await page.getByLabel('From').inputValue()).toBe('');
    await console.follow('Top up');
    await page.getByLabel('Other amount (USD)').fill('1,000');
    await console.button('Show payment details');
    await console.see(/without a sign between thousands/);
  });

  it('says whom to ask to close an account, and tells whoever has it open that it was closed', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { credential } = await operator();
    await console.follow('Account');
    await console.see(/^To close this account.*ask the operator/);
    await scene.service.call('updateUser', {
      credential,
      params: { user_id: holder.id },
      body: { is_active: false },
    });
    await console.follow('Access keys');
    await console.see('Your session has ended');
    // Whoever can't see it is told so too.
    await console.page.locator('main:focus').waitFor();
    // Each call that was on its way then is refused.
    expect(console.complaints.filter((complaint) => !complaint.includes('status of 401'))).toEqual([]);
  });

  it('keeps what is typed when the session ends, for the same account alone, but no password', async () => {
    const [admin, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    const endAndLogIn = async ({ email, password }: TestAccount, end: () => Promise<void>) => {
      const body = { email: holder.email, password: holder.password };
      const { token } = (await scene.service.call('login', { body })).body;
      expect((await scene.service.call('logoutEverywhere', { credential: token })).status).toBe(204);
      await end();
      await console.see('Your session has ended');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await console.button('Log in');
      await page.getByRole('button', { name: 'Log out' }).or(page.getByRole('dialog')).first().waitFor();
    };
    const name = page.getByRole('dialog').getByLabel('Name');
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });

    await console.view('account');
    await page.getByLabel('Current password').fill(holder.password);
    await endAndLogIn(holder, () => console.follow('Webhooks'));
    await console.view('account');
    expect(await page.getByLabel('Current password').inputValue()).toBe('');

    await console.view('agents');
    await page.getByRole('button', { name: 'Create agent' }).first().click();
    await name.fill('librarian');
    await endAndLogIn(holder, () => save.click());
    expect(await name.inputValue()).toBe('librarian');
    expect(await page.getByRole('alert').count()).toBe(0);
    await save.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Actions for librarian').waitFor();

    await page.getByRole('button', { name: 'Create agent' }).first().click();
    await name.fill('a secret plan');
    await endAndLogIn(admin, () => save.click());
    await console.see(admin.email);
    expect(await page.content()).not.toContain('a secret plan');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByLabel('Actions for librarian').count()).toBe(0);
  });

  it('makes a task out of fields, and leaves it its key when the page is left', async () => {
    const world = await World.create(scene.service);
    const console = await scene.openAs(world.owner);
    const { page } = console;
    await console.view('tasks');
    await page.getByRole('button', { name: 'Submit task' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('What to do').selectOption('Store a text');
    await form.getByLabel('Text', { exact: true }).fill('The library opens at nine.');
    await form.getByLabel('Collection').fill('hours');
    await form.getByRole('button', { name: 'Submit task' }).click();
    await page.getByRole('cell', { name: 'Waiting' }).waitFor();
    await page.getByRole('cell', { name: 'Store a text' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'Waiting' }).waitFor();
    const { body } = await callAs('listKeys', world, {});
    expect(body.filter(({ name }) => name === 'Console')).toHaveLength(2);
    await page.route('**/api/hub/tasks/*', async (route) => {
      const response = await route.fetch();
      const { data, ...others } = (await response.json()) as { data: object };
      const result = { data: { summary: 'It opens\nat nine.' } };
      await route.fulfill({ response, json: { ...others, data: { ...data, result } } });
    });
    await console.button('Details');
    await page.getByRole('dialog').getByText('It opens\nat nine.', { exact: true }).waitFor();
  });

  it('fits a telephone in the dark: every view, without a barrier, a complaint or more than three calls', async () => {
    const [admin] = await scene.accounts();
    const console = await scene.openAs(admin, TELEPHONE);
    const found: Record<string, unknown> = {};
    for (const path of [...HOLDER_VIEWS, ...OPERATOR_VIEWS, `operator/accounts/${admin.id}`]) {
      console.calls.length = 0;
      await console.view(path);
      const barriers = await console.barriers();
      const excessPx = Math.max(await console.excessPx(), await console.tableExcessPx());
      // The balance in the head of every view, and the key of minutes, are asked for once an hour and not by each view.
      const calls = console.calls.filter((call) => !/credits\/balance$|playground-keys$/.test(call));
      if (barriers.length > 0 || excessPx > 0 || calls.length > 3) {
        found[path] = { barriers, excessPx, calls };
      }
      await console.screenshot(`telephone-${path.replaceAll('/', '-')}`);
    }
    expect(found).toEqual({});
    expect(console.complaints).toEqual([]);
  });
});

async function operator(): Promise<{ credential: string }> {
  const { token } = await createAccount(scene.service, { creditUsd: '0', role: 'admin' });
  return { credential: token };
}

/** What the newest call of an account cost by the ledger, as a decimal. */
async function chargeOf(email: string): Promise<string> {
  const [row] = await scene.service.database.query<{ charged: string }[]>(
    `SELECT trim_scale(-amount_nano / 1e9::numeric)::text AS charged FROM ledger_entries
     JOIN accounts ON accounts.id = account_id
     WHERE email = $1 AND type = 'charge' ORDER BY position DESC LIMIT 1`,
    [email],
  );
  return row?.charged ?? 'nothing';
}
