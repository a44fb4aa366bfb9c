import { callAs } from '../support/api/call-as';
import { World } from '../support/api/world';
import { ConsoleService } from '../support/browser/console-service';

const DESK = { width: 1280 };
const TABLET = { width: 768 };

/** By how many pixels something is wider than the frame that cuts it off or scrolls it. */
const HIDDEN_PX = `Math.max(...[...document.querySelectorAll('main section, main [role=region], [role=dialog]')]
  .map((frame) => frame.scrollWidth - frame.clientWidth))`;

let scene: ConsoleService;
beforeAll(async () => {
  scene = await ConsoleService.start();
});
afterAll(async () => {
  await scene?.stop();
});

describe('the console', () => {
  it('says once, below a heading in words, what is wrong with a field', async () => {
    const console = await scene.open();
    const { page } = console;
    await console.button('Create account');
    await page.waitForFunction('document.title === "Create your account · Console"');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Username').fill('ada 🚀');
    await page.getByLabel('Password', { exact: true }).fill('seven silver trains at dawn');
    await console.button('Create account');
    const said = await page.getByRole('alert').innerText();
    expect(said).toContain('This cannot be done as asked');
    expect(said.match(/must be letters, digits/g)).toHaveLength(1);
  });

  it('keeps the e-mail address from form to form, and says that a changed password is in force', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.open();
    const { page } = console;
    await page.getByLabel('E-mail address').fill(holder.email);
    await console.button('Forgot your password?');
    await console.button('Send link');
    await page.locator('[aria-live]', { hasText: 'sends no e-mail' }).waitFor();
    await console.button('Back to log in');
    await console.logIn(await page.getByLabel('E-mail address').inputValue(), holder.password);
    await console.follow('Account');
    await page.getByLabel('Current password').fill(holder.password);
    await page.getByLabel('New password').fill('eight golden boats at noon');
    await console.button('Change password');
    await console.see('The new password is in force');
    expect(await page.getByText('Your session has ended').count()).toBe(0);
    expect(console.complaints).toEqual([]);
  });

  it('leaves the focus on a button whose answer is a refusal, and begins a form at its first field', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.open();
    const { page } = console;
    await page.getByLabel('E-mail address').fill(holder.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Log in', exact: true }).press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Log in');
    await console.logIn(holder.email, holder.password);
    await console.follow('Access keys');
    await page.getByRole('button', { name: 'Create key' }).first().press('Enter');
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
  });

  it('keeps the actions of a key and the filters of calls in sight, however long a name is', async () => {
    const [, holder] = await scene.accounts();
    const credential = holder.token;
    const made = await scene.service.call('createKey', { credential, body: { name: 'n'.repeat(100) } });
    expect(made.status).toBe(201);
    const desk = await scene.openAs(holder, DESK);
    await desk.view('keys');
    expect(await desk.page.evaluate(HIDDEN_PX)).toBe(0);
    await desk.page.getByLabel(/^Actions for nnn/).click();
    await desk.page.getByRole('menuitem', { name: 'Set limits' }).click();
    await desk.page.getByRole('dialog').waitFor();
    expect(await desk.page.evaluate(HIDDEN_PX)).toBe(0);
    const tablet = await scene.openAs(holder, TABLET);
    await tablet.view('requests');
    await tablet.page.locator('option', { hasText: 'nnn' }).waitFor({ state: 'attached' });
    expect(await tablet.page.evaluate(HIDDEN_PX)).toBe(0);
    // The menu goes also where the view is the present one.
    await tablet.button('Menu');
    await tablet.page.getByRole('dialog').getByRole('link', { name: 'Requests' }).click();
    await tablet.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('says that the service is away, also where a view was never loaded, and goes on when it is back', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Access keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('made in the end');
    await page.context().setOffline(true);
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('The service cannot be reached').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await console.follow('Tasks');
    await console.see('The service cannot be reached');
    // Back before this second failure is known, the page would be loaded anew, without the button.
    const secondFailure = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
    await console.button('Try again');
    await secondFailure;
    await console.see('The service cannot be reached');
    await page.context().setOffline(false);
    await console.button('Try again');
    await console.heading('Tasks');
  });

  it('adds up exactly what the keys of the console cost', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const rankOf = (id: number, cost: number) => ({
      key_id: String(id),
      name: 'Console',
      requests: 1,
      tokens: 1,
      cost,
    });
    await console.page.route('**/api/account/overview?*', async (route) => {
      const response = await route.fetch();
      const { period, ...others } = (await response.json()) as { period: object };
      const by_key = [rankOf(1, 0.000002), rankOf(2, 0.000008)];
      await route.fulfill({ response, json: { ...others, by_key, period: { ...period, requests: 2 } } });
    });
    await console.page.reload();
    const ranks = console.page.getByRole('list', { name: 'By access key' });
    expect((await ranks.innerText()).split('\n').slice(0, 2)).toEqual(['Console', '$0.00001']);
  });

  it('charges a double click once, and shows what was charged in a view that was looked at just before', async () => {
    const world = await World.create(scene.service);
    await callAs('indexRagDocument', world, { body: { content: 'The warranty covers two years.' } });
    const console = await scene.openAs(world.owner);
    const { page } = console;
    await console.view('transactions');
    const rows = await page.getByRole('row').count();
    await console.view('search');
    await page.getByLabel('Question').fill('What does the warranty cover?');
    await page.getByRole('button', { name: 'Find passages' }).dblclick();
    await console.see('[1]');
    expect(console.calls.filter((call) => call.includes('rag/retrieve'))).toHaveLength(1);
    await console.follow('Transactions');
    await page.getByRole('row').nth(rows).waitFor();
    await console.view('playground');
    await console.button('Use an example');
    await console.button('Send');
    await console.see('charged');
    await console.follow('Transactions');
    await page
      .getByRole('row')
      .nth(rows + 1)
      .waitFor();
  });

  it('copies over plain HTTP, where a page has no clipboard', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await page.evaluate('window.clipboard = navigator.clipboard');
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await console.view('playground');
    await console.button('Code');
    await console.button('Copy');
    await console.button('Copied');
    expect(await page.evaluate('clipboard.readText()')).toContain('/v1/chat/completions');
    await page.evaluate('document.execCommand = () => false');
    await console.button('Copy');
    await console.button('Not copied');
    expect(console.complaints).toEqual([]);
  });

  it('goes on with a new key where its own was ended in another browser', async () => {
    const [, holder] = await scene.accounts();
    const credential = holder.token;
    const console = await scene.openAs(holder);
    await console.view('agents');
    const { body } = await scene.service.call('listKeys', { credential });
    for (const { id } of body) {
      await scene.service.call('deleteKey', { credential, params: { key_id: id } });
    }
    await console.view('tasks');
    await console.see('No tasks');
    expect(await console.page.getByRole('alert').count()).toBe(0);
  });

  it('keeps a secret that is shown once when somebody goes back, and the focus in a list of which a row goes', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.follow('Access keys');
    for (const name of ['first', 'second']) {
      await page.getByRole('button', { name: 'Create key' }).first().click();
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Name').press('Enter');
      await console.see(/svc_test_[\w-]{20}/);
      await page.goBack();
      await page.waitForURL(/keys$/);
      await console.button('I have copied it');
    }
    await page.getByLabel('Actions for first').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Actions for first').waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Access keys');
  });

  it('keeps what is typed beside a click that misses, and while an answer comes', async () => {
    const [, holder] = await scene.accounts();
    const console = await scene.openAs(holder);
    const { page } = console;
    await console.view('agents');
    await page.getByRole('button', { name: 'Create agent' }).first().click();
    await page.getByLabel('Name').fill('helper');
    await page.mouse.click(5, 5);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Actions for helper').click();
    await page.getByRole('menuitem', { name: 'Try' }).click();
    const message = page.getByRole('dialog').getByLabel('Message');
    await page.route('**/api/hub/agents/chat', async (route) => {
      await message.fill('A second question');
      await route.continue();
    });
    await message.fill('When does the library open?');
    await console.button('Send');
    await page.getByRole('dialog').getByText('charged').waitFor();
    expect(await message.inputValue()).toBe('A second question');
  });

  it('says of a text nothing that went wrong with another one', async () => {
    const world = await World.create(scene.service);
    for (const title of ['One', 'Two']) {
      await callAs('indexRagDocument', world, { body: { content: `Text ${title}`, metadata: { title } } });
    }
    const console = await scene.openAs(world.owner);
    const { page } = console;
    await console.view('search');
    await page.route('**/api/hub/rag/documents/*', (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByLabel('Actions for One').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Actions for Two').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('says by which key calls are filtered, also where it was deleted', async () => {
    const world = await World.create(scene.service);
    const console = await scene.openAs(world.owner);
    const [key] = (await callAs('listKeys', world, {})).body;
    await callAs('deleteKey', world, { params: { key_id: key?.id ?? '' } });
    await console.view(`requests?key=${key?.id}`);
    const chosen = console.page.getByLabel('Access key', { exact: true }).locator('option:checked');
    expect(await chosen.innerText()).toBe(key?.id.slice(0, 8));
  });

  it('hears no click on what cannot be pressed', async () => {
    const console = await scene.openAs((await scene.accounts())[1]);
    await console.view('search');
    await console.page.evaluate("document.addEventListener('click', () => { document.title = 'clicked'; })");
    await console.page.getByRole('button', { name: 'Find passages' }).click({ force: true });
    expect(await console.page.title()).not.toBe('clicked');
  });

  it('shows the prices to whoever pays them', async () => {
    const console = await scene.openAs((await scene.accounts())[1]);
    await console.follow('Prices');
    await console.page
      .getByRole('cell', { name: /Answer a conversation/ })
      .first()
      .waitFor();
    expect(await console.page.getByRole('alert').count()).toBe(0);
    expect(console.complaints).toEqual([]);
  });

  it('takes as many keys as somebody chooses caps, and next to nothing of a day for a look', async () => {
    const world = await World.create(scene.service);
    const console = await scene.openAs(world.owner);
    const { page } = console;
    await console.view('agents');
    const capOf = async () => {
      const { body } = await callAs('listKeys', world, {});
      return body.find(({ name }) => name === 'Console')?.limits.monthly_limit;
    };
    expect(await capOf()).toBe(0.01);
    await console.view('playground');
    for (let chats = 1; chats <= 6; chats += 1) {
      await page.getByLabel('The key may spend').selectOption(chats % 2 === 0 ? '0.50' : '1.00');
      await page.getByLabel('Message', { exact: true }).fill('When does the library open?');
      await console.button('Send');
      await page
        .getByText('charged')
        .nth(chats - 1)
        .waitFor();
    }
    expect(await capOf()).toBe(0.5);
    await console.view('overview');
    await console.view('playground');
    expect(await page.getByLabel('The key may spend').inputValue()).toBe('0.50');
    const { body } = await callAs('listKeys', world, {});
    const [own] = body.filter(({ name }) => name === 'Console');
    await callAs('deleteKey', world, { params: { key_id: own?.id ?? '' } });
    await page.getByLabel('Message', { exact: true }).fill('And on Sundays?');
    await console.button('Send');
    await page.getByText('charged').nth(6).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('goes to the last page of a list whose page is gone, and back past it', async () => {
    const world = await World.create(scene.service);
    const console = await scene.openAs(world.owner);
    const { page } = console;
    await console.follow('Overview');
    await console.follow('Access keys');
    await page.evaluate("location.hash = '/keys?offset=25'");
    await page.getByRole('cell').first().waitFor();
    expect(page.url()).toMatch(/keys$/);
    await page.goBack();
    await page.goBack();
    await console.heading('Overview');
  });

  it('uploads every file that is chosen, and names those that are refused', async () => {
    const console = await scene.openAs((await scene.accounts())[1]);
    await console.view('documents');
    const files = ['one.txt', 'no.txt', 'two.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name === 'no.txt' ? '' : `The text of ${name}.`),
    }));
    await console.page.locator('input[type=file]').setInputFiles(files);
    for (const name of ['one', 'two']) {
      await console.page.getByRole('link', { name, exact: true }).waitFor();
    }
    await console.see('no.txt');
  });

  it('names no range of amounts where no coin can be paid with, and says so of a proxy that answers', async () => {
    const console = await scene.openAs((await scene.accounts())[1]);
    const { page } = console;
    await page.route('**/payments/methods', async (route) => {
      const response = await route.fetch();
      const { methods } = (await response.json()) as { methods: object[] };
      await route.fulfill({
        response,
        json: { methods: methods.map((one) => ({ ...one, available: false })) },
      });
    });
    await console.view('top-up');
    expect(await page.getByText('From $0.00 to $0.00').count()).toBe(0);
    await page.route('**/api/webhooks?*', (route) =>
      route.fulfill({ status: 500, contentType: 'text/html', body: '<html>gone</html>' }),
    );
    await console.view('webhooks');
    await console.see('The service did not answer as it should');
  });

  it('shows what was made where the answer was lost, and says why it is not made anew', async () => {
    const console = await scene.openAs((await scene.accounts())[1]);
    const { page } = console;
    await console.view('keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    const send = async (name: string) => {
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Create key' }).click();
    };
    await page.route('**/api/keys', (route) => route.fetch().then(() => route.abort()), { times: 1 });
    await send('first');
    await dialog.getByText('The service cannot be reached').waitFor();
    await send('second');
    await dialog.getByText('may have arrived already: close this and look').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'first', exact: true }).waitFor();
  });
});
