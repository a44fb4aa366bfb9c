import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { definitions } from '../../generated/schemas';
import { readCredentials } from './credentials';
import { EXIT } from './failures';
import { run } from './main';
import { baseUrlOf } from './session';

describe('where credentials are sent', () => {
  it.each([
    'http://api.example.com',
    'http://10.0.0.5:3000',
    'ftp://127.0.0.1',
    'http://127.0.0.1.example.com',
  ])('refuses %s, which would be told them in the open', (url) => {
    expect(refusalOf(() => baseUrlOf({ url }))).toMatchObject({ exitCode: EXIT.usage });
  });

  it.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://example.com/credits//', 'https://example.com/credits'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('takes %s', (url, base) => {
    expect(baseUrlOf({ url })).toBe(base);
  });

  it.each([
    [{}, 'http://127.0.0.1:3000'],
    [{ PORT: '', HOST: '' }, 'http://127.0.0.1:3000'],
    [{ PORT: '3955' }, 'http://127.0.0.1:3955'],
    [{ PORT: '3955', HOST: '0.0.0.0' }, 'http://127.0.0.1:3955'],
    [{ HOST: '::' }, 'http://[::1]:3000'],
    [{ HOST: '127.0.0.2' }, 'http://127.0.0.2:3000'],
    [{ PORT: '3955', ADMIN_URL: 'https://api.example.com' }, 'https://api.example.com'],
  ])('asks, with %j and no address named, the service %s', (environment, base) => {
    expect(baseUrlOf({}, environment)).toBe(base);
  });

  it('refuses a HOST of another machine by plain http, and a PORT that is none', () => {
    expect(refusalOf(() => baseUrlOf({}, { HOST: '10.0.0.5' }))).toMatchObject({ exitCode: EXIT.usage });
    expect(refusalOf(() => baseUrlOf({}, { PORT: 'http' }))).toMatchObject({ exitCode: EXIT.usage });
  });

  it('takes plain http to another machine where the operator says so', () => {
    expect(baseUrlOf({ url: 'http://api-1:3000', plainHttp: true })).toBe('http://api-1:3000');
  });
});

describe('which credentials are taken', () => {
  const login = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'a long and lovely password' };

  it('takes a token as a file ends with it, and refuses one that no header may hold without showing it', () => {
    expect(readCredentials({}, { ADMIN_TOKEN: 'a.b.c\r\n' }).credentials).toEqual({ token: 'a.b.c' });
    const refusal = refusalOf(() => readCredentials({}, { ADMIN_TOKEN: 'hunter2\nhunter2' }));
    expect(refusal).toMatchObject({ exitCode: EXIT.usage });
    expect(String(refusal)).not.toContain('hunter2');
  });

  it('prefers what the command line names, then a token, then the login', () => {
    const environment = { ...login, ADMIN_TOKEN: 'of the environment' };
    expect(readCredentials({ token: 'of the command' }, environment)).toEqual({
      credentials: { token: 'of the command' },
      from: '--token',
    });
    expect(readCredentials({}, environment)).toEqual({
      credentials: { token: 'of the environment' },
      from: 'ADMIN_TOKEN',
    });
    expect(readCredentials({}, login)).toEqual({
      credentials: { email: login.ADMIN_EMAIL, password: login.ADMIN_PASSWORD },
      from: 'ADMIN_EMAIL and ADMIN_PASSWORD',
    });
  });

  it('reads the password from the file that a container has, and names what is wrong with it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'operator-'));
    const file = join(folder, 'admin_password');
    writeFileSync(file, `${login.ADMIN_PASSWORD}\n`);
    const environment = { ADMIN_EMAIL: login.ADMIN_EMAIL, ADMIN_PASSWORD_FILE: file };
    // Other secrets are not this command's: it neither needs nor reads them.
    expect(readCredentials({}, { ...environment, JWT_SECRET_FILE: '/nowhere/jwt' })).toEqual({
      credentials: { email: login.ADMIN_EMAIL, password: login.ADMIN_PASSWORD },
      from: `ADMIN_EMAIL and ADMIN_PASSWORD_FILE (${file})`,
    });
    const refusal = (further: object) => refusalOf(() => readCredentials({}, { ...environment, ...further }));
    expect(refusal({ ADMIN_PASSWORD_FILE: '/nowhere/password' })).toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining('ADMIN_PASSWORD_FILE: ENOENT') as string,
    });
    expect(refusal({ ADMIN_PASSWORD: 'another' })).toMatchObject({
      exitCode: EXIT.usage,
      message: 'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE exclude each other',
    });
    expect(
      readCredentials({ token: 'a token' }, { ...environment, ADMIN_PASSWORD_FILE: '/nowhere' }),
    ).toEqual({
      credentials: { token: 'a token' },
      from: '--token',
    });
    rmSync(folder, { recursive: true });
  });

  it('names the file that it looked for where there is nothing', () => {
    const environment = { ADMIN_EMAIL: 'ada@example.com', DATA_DIR: '/nowhere' };
    expect(() => readCredentials({}, environment)).toThrow('/nowhere/admin.json');
  });
});

describe('what is refused before anything is sent', () => {
  async function refused(...args: string[]): Promise<[exitCode: number, errors: string]> {
    const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const exitCode = await run({ input, output, errors }, [...args, '--credentials', '/nowhere/admin.json']);
    return [exitCode, String(errors.read() ?? '')];
  }

  it.each(['Infinity', '1e999', '0x10', '-1', '', 'many'])('a rate of %j', async (text) => {
    const [exitCode, errors] = await refused('users', 'limits', 'ada', `--per-second=${text}`);
    expect([exitCode, errors]).toEqual([EXIT.usage, expect.stringContaining('It is a number above 0')]);
  });

  it.each(['x', '-1', '1.5', '10000'])('the schema %j, in words', async (schema) => {
    const [exitCode, errors] = await refused('accounts', 'move', 'ada', schema);
    expect([exitCode, errors]).toEqual([EXIT.usage, expect.stringContaining('It is a whole number from 0')]);
  });

  it('and no operation that admins have', async () => {
    for (const operation of definitions.AdminOperation.enum) {
      expect((await refused('audit', '--operation', operation))[1]).toContain('No credentials');
    }
  });
});

function refusalOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
