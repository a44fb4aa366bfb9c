import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Configuration, InvalidConfiguration } from './configuration';
import { addressWithPassword } from './server-addresses';
import { readSecretFiles, SECRET_VARIABLES } from './environment';

const SECRET = 'kX9pQ2vL7mN4wR8tY1zB6cD3fG5hJ0aS';

describe('secrets by file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'secrets-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function file(content: string): string {
    const path = join(folder, 'secret');
    writeFileSync(path, content);
    return path;
  }

  function faults(environment: NodeJS.ProcessEnv): string {
    try {
      Configuration.read(environment);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidConfiguration);
      return (error as Error).message;
    }
    return '';
  }

  it.each([
    ['is not there', () => join(folder, 'nothing'), 'JWT_SECRET_FILE: ENOENT'],
    ['is a folder', () => folder, 'EISDIR'],
    ['is empty', () => file('\n'), 'is empty'],
    ['is too large', () => file('x'.repeat(1_048_577)), 'is larger than a secret'],
  ])('stop the start where a file %s', (_, path, fault) => {
    expect(faults({ JWT_SECRET_FILE: path() })).toContain(fault);
  });

  it('stop the start where the variable is set beside its file, without a word of either', () => {
    const message = faults({ JWT_SECRET: SECRET, JWT_SECRET_FILE: file(`other ${SECRET}`) });
    expect(message).toContain('JWT_SECRET and JWT_SECRET_FILE exclude each other');
    expect(message).not.toContain(SECRET);
  });

  it('are held to the rules of their variable', () => {
    expect(faults({ JWT_SECRET_FILE: file('short') })).toContain('JWT_SECRET: must be at least 32 bytes');
  });

  it.each(SECRET_VARIABLES)('are read for %s, but for the line end', (name) => {
    const path = file(' a secret \n');
    const read = readSecretFiles({ [`${name}_FILE`]: path, [name]: '', OTHER_FILE: 'left alone' });
    expect(read).toEqual({ environment: { [name]: ' a secret ', OTHER_FILE: 'left alone' }, faults: [] });
  });

  it('reach the configuration, while an empty path counts as absent', () => {
    const environment = { JWT_SECRET_FILE: file(`${SECRET}\n`), METRICS_TOKEN_FILE: '' };
    expect(Configuration.read(environment)).toMatchObject({ jwtSecret: SECRET, metricsToken: null });
  });
});

describe('DATABASE_PASSWORD', () => {
  const JWT_SECRET = SECRET;

  it.each([
    ['no DATABASE_URL', undefined],
    ['one without a user', 'postgres://localhost/app'],
    ['one without a host', 'postgres:///app'],
  ])('is refused with %s', (_, DATABASE_URL) => {
    const environment = { JWT_SECRET, DATABASE_PASSWORD: 'p', DATABASE_URL };
    expect(() => Configuration.read(environment)).toThrow('DATABASE_PASSWORD needs a DATABASE_URL');
  });

  it('is refused beside a password in the address', () => {
    const environment = { JWT_SECRET, DATABASE_PASSWORD: 'p', DATABASE_URL: 'postgres://a:b@localhost/app' };
    expect(() => Configuration.read(environment)).toThrow('DATABASE_PASSWORD must not be set');
  });

  it('goes into the address beside a pooler too, which needs one through it and holds no other password', () => {
    const read = (environment: object) => Configuration.read({ JWT_SECRET, ...environment });
    const DATABASE_URL = 'postgres://a@pooler/app';
    const both = { DATABASE_URL, DATABASE_SESSION_URL: 'postgres://a@own/app', DATABASE_PASSWORD: 'p' };
    expect(read(both).databaseSessionUrl).toBe('postgres://a:p@own/app');
    expect(read({ DATABASE_URL }).databaseSessionUrl).toBeNull();
    const refused = (environment: object) => expect(() => read(environment));
    refused({ DATABASE_SESSION_URL: 'postgres://a@own/app' }).toThrow(
      'DATABASE_SESSION_URL needs DATABASE_URL',
    );
    refused({ DATABASE_URL, DATABASE_SESSION_URL: 'own' }).toThrow(
      'DATABASE_SESSION_URL: must be a postgres:// URL',
    );
    refused({ ...both, DATABASE_SESSION_URL: 'postgres://a:b@own/app' }).toThrow(
      'DATABASE_SESSION_URL holds a password',
    );
  });

  it('may hold any characters', () => {
    const password = `a/b@c:d?e#f%20 g'"é`;
    const url = new URL(addressWithPassword('postgres://service@localhost:5432/app', password) ?? '');
    expect([url.username, decodeURIComponent(url.password)]).toEqual(['service', password]);
    expect([url.host, url.pathname]).toEqual(['localhost:5432', '/app']);
  });

  it('leaves an address alone where there is none', () =>
    expect(addressWithPassword('postgres://a:b@c/d', null)).toBe('postgres://a:b@c/d'));
});

describe('REDIS_PASSWORD', () => {
  it('goes into an address that has none, with or without a user', () => {
    const url = (REDIS_URL: string) => Configuration.read({ REDIS_URL, REDIS_PASSWORD: 'p/w' }).redisUrl;
    expect(url('redis://redis:6379')).toBe('redis://:p%2Fw@redis:6379');
    expect(url('rediss://user@redis:6379/1')).toBe('rediss://user:p%2Fw@redis:6379/1');
  });

  it.each([
    ['no REDIS_URL', undefined, 'REDIS_PASSWORD needs a REDIS_URL that names a host'],
    ['one that has a password', 'redis://:b@redis', 'REDIS_PASSWORD must not be set'],
  ])('is refused with %s', (_, REDIS_URL, fault) =>
    expect(() => Configuration.read({ REDIS_URL, REDIS_PASSWORD: 'p' })).toThrow(fault),
  );
});
