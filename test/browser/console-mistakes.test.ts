import { ConsoleService } from '../support/browser/console-service';

const DESK = { width: 1280 };
const TABLET = { width: 768 };

/** By how many pixels something is wider than the frame that cuts it off or scrolls it. */
const HIDDEN_PX = `Math.max(...[...document.querySelectorAll('main section, main [role=region]')]
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
    const tablet = await scene.openAs(holder, TABLET);
    await tablet.view('requests');
    await tablet.page.locator('option', { hasText: 'nnn' }).waitFor({ state: 'attached' });
    expect(await tablet.page.evaluate(HIDDEN_PX)).toBe(0);
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
});
