import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { Configuration, InvalidConfiguration, VARIABLES } from './configuration';

const SECRET = 'kX9pQ2vL7mN4wR8tY1zB6cD3fG5hJ0aS';
const LIVE = { SERVICE_ENVIRONMENT: 'live', DATABASE_URL: 'postgres://localhost/app', JWT_SECRET: SECRET };

function faults(environment: Record<string, string>): string {
  try {
    Configuration.read(environment);
  } catch (error) {
    return (error as InvalidConfiguration).message;
  }
  return '';
}

describe('Configuration', () => {
  it.each([
    ['an embedded database', { ...LIVE, DATABASE_URL: '' }, 'DATABASE_URL'],
    ['no JWT_SECRET', { ...LIVE, JWT_SECRET: '' }, 'JWT_SECRET'],
    ['a short JWT_SECRET', { ...LIVE, JWT_SECRET: 'short' }, 'JWT_SECRET'],
    ['a repetitive JWT_SECRET', { ...LIVE, JWT_SECRET: 'abab'.repeat(10) }, 'JWT_SECRET'],
    ['insecure webhooks', { ...LIVE, ALLOW_INSECURE_WEBHOOKS: 'true' }, 'ALLOW_INSECURE_WEBHOOKS'],
    ['insecure inputs', { ...LIVE, ALLOW_INSECURE_INPUT_URLS: 'true' }, 'ALLOW_INSECURE_INPUT_URLS'],
  ])('refuses to go live with %s, and says which', (_, environment, name) => {
    expect(faults(environment)).toContain(name);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['ROLE', 'king'],
    ['SERVICE_ENVIRONMENT', 'prod'],
    ['DATABASE_URL', 'mysql://x'],
    ['REDIS_URL', 'http://x'],
    ['REDIS_KEY_PREFIX', 'a b'],
    ['REDIS_TIMEOUT_MS', '9'],
    ['WELCOME_CREDIT_USD', '-1'],
    ['DEFAULT_OUTPUT_TOKENS_MAX', '0'],
    ['USAGE_RETENTION_MONTHS', '0'],
    ['USAGE_RETENTION_MONTHS', '1.5'],
    ['STALLED_WRITE_TIMEOUT_MS', '99'],
    ['UNSENT_BYTES_MAX', '1048575'],
    ['RETRIEVAL_EMBEDDING_MODEL', 'two words'],
    ['RETRIEVAL_VECTORS_MB_MAX', '15'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_TOKEN', 'short'],
    ['ADMIN_EMAIL', 'nobody'],
    ['PUBLIC_URL', 'https://api.example.com/?from=mail'],
    ['PUBLIC_URL', 'https://api.example.com/#start'],
    ['PUBLIC_URL', 'https://user:password@api.example.com'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
  ])('refuses %s=%s, naming it', (name, value) => {
    expect(faults({ [name]: value })).toContain(name);
  });

  it.each(['#', '/', '?', '%', '%zz'])(
    'refuses %s in the password of an address, naming it and not repeating it',
    (sign) => {
      const address = (protocol: string) => `${protocol}://user:${SECRET}${sign}x@localhost:1`;
      const environment = {
        DATABASE_URL: address('postgres'),
        DATABASE_SESSION_URL: address('postgres'),
        REDIS_URL: address('redis'),
        SMTP_URL: address('smtps'),
        BTC_RPC_URL: address('http'),
      };
      for (const [name, value] of Object.entries(environment)) {
        expect(faults({ [name]: value })).toMatch(new RegExp(`^  ${name}: .*percent-encoded$`, 'm'));
      }
      expect(faults(environment)).not.toContain(SECRET);
    },
  );

  it.each([
    ['DATABASE_URL', 'postgres://user:p%23%25@/app?host=/run/postgres'],
    ['DATABASE_URL', 'postgres://%2Frun%2Fpostgres/app'],
    ['DATABASE_URL', 'postgres:///app'],
    ['REDIS_URL', 'rediss://:p%2F@localhost:6379/1?family=6'],
    ['REDIS_URL', 'redis://localhost/'],
    ['SMTP_URL', 'smtp://localhost'],
  ])('takes %s=%s', (name, value) => expect(faults({ ...LIVE, [name]: value })).toBe(''));

  it('refuses a database of Redis that has no number', () =>
    expect(faults({ REDIS_URL: 'redis://localhost/cache' })).toContain('REDIS_URL'));

  it.each([
    [{ JWT_SECRT: SECRET }, 'JWT_SECRT is not read: is JWT_SECRET meant?'],
    [{ jwt_secret: SECRET }, 'jwt_secret is not read: is JWT_SECRET meant?'],
    [{ JWT_SECRET_FIEL: '/run/secret' }, 'JWT_SECRET_FIEL is not read: is JWT_SECRET_FILE meant?'],
    [{ DATABASE_URI: 'postgres://localhost/app' }, 'DATABASE_URI is not read: is DATABASE_URL meant?'],
    [{ PROT: '80', POT: '80' }, 'POT is not read: is PORT meant?'],
  ])('names what nobody reads in %j, with what was meant and without its value', (environment, line) => {
    expect(Configuration.read(environment).warnings).toEqual([line]);
    expect(faults({ ...environment, ROLE: 'king' })).toContain(line);
  });

  it("is silent on other programs' variables", () => {
    const others = {
      HOME: '/',
      HOSTNAME: 'a',
      SHELL: 'sh',
      TERM: 'x',
      LOGNAME: 'b',
      PGPORT: '1',
      JWT_SECRT: '',
    };
    expect(Configuration.read(others).warnings).toEqual([]);
  });

  it('names every fault at once', () => {
    const message = faults({ PORT: 'x', ROLE: 'y' });
    expect([message.includes('PORT'), message.includes('ROLE')]).toEqual([true, true]);
  });

  it('leaves the embedding model to the upstreams, takes a name, and takes none for no vectors', () => {
    const modelOf = (name: string) => Configuration.read({ RETRIEVAL_EMBEDDING_MODEL: name });
    const models = ['', 'embed-3', 'none'].map((name) => modelOf(name).retrievalEmbeddingModel);
    expect(models).toEqual(['', 'embed-3', null]);
    expect(modelOf('').retrievalVectorBytesMax).toBe(268_435_456);
  });

  it('refuses one of the admin variables without the other', () => {
    expect(faults({ ADMIN_EMAIL: 'a@example.com' })).toContain('ADMIN_PASSWORD');
  });

  it.each([
    ['SMTP_URL', { SMTP_URL: 'smtp://localhost' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://localhost', PUBLIC_URL: 'https://api.example.com' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' }],
    ['MAIL_FROM', { MAIL_FROM: 'a@example.com', PUBLIC_URL: 'https://api.example.com' }],
  ])('warns that no e-mail is sent with %s alone', (name, environment) => {
    expect(Configuration.read(environment).warnings).toEqual([
      `${name} is set, but no e-mail is sent: that takes SMTP_URL, MAIL_FROM and PUBLIC_URL.`,
    ]);
  });

  it('warns of no e-mail where none is wanted, or all that it takes is there', () => {
    const [publicUrl, mail] = [
      { PUBLIC_URL: 'https://api.example.com/base' },
      { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' },
    ];
    const warnings = [publicUrl, { ...publicUrl, ...mail }].map((own) => Configuration.read(own).warnings);
    expect(warnings).toEqual([[], []]);
  });

  it('warns of the test environment on a database of the operator, naming the chains that a sandbox plays', () => {
    const own = { DATABASE_URL: 'postgres://localhost/app', JWT_SECRET: SECRET };
    const btc = { BTC_XPUB: 'xpub', BTC_ESPLORA_URL: 'http://x' };
    const eth = { ETH_XPUB: 'xpub', ETH_RPC_URL: 'http://x' };
    const sol = { SOL_MERCHANT_ADDRESS: 'x', SOL_RPC_URL: 'http://x' };
    const warnings = [own, { ...own, ...btc }, { ...own, ...btc, ...eth, ...sol }].map(
      (environment) => Configuration.read(environment).warnings,
    );
    const test = (sandbox: string) => [
      `SERVICE_ENVIRONMENT is test, with a DATABASE_URL.${sandbox} Production needs SERVICE_ENVIRONMENT=live.`,
    ];
    const plays = (chains: string) =>
      ` A sandbox plays ${chains}: every account holder can confirm payments that nobody made.`;
    expect(warnings).toEqual([test(plays('BTC, ETH, SOL')), test(plays('ETH, SOL')), test('')]);
    expect([Configuration.read({}).warnings, Configuration.read(LIVE).warnings]).toEqual([[], []]);
  });

  it('runs embedded in the test environment when nothing is set, empty variables included', () => {
    const configuration = Configuration.read({ DATABASE_URL: '', UNRELATED: 'x' });
    expect(configuration).toMatchObject({
      port: 3000,
      isEmbedded: true,
      environment: 'test',
      welcomeCreditUsd: '0',
      usageRetentionMonths: 24,
    });
  });

  it('takes addresses and ranges of both kinds as trusted proxies', () => {
    const list = '10.0.0.0/8, 192.168.1.1, fd00::/8';
    expect(Configuration.read({ TRUSTED_PROXIES: list }).trustedProxies).toBe(list);
  });

  it('lets webhooks go to this machine only where that is asked for', () => {
    expect(Configuration.read({})).toMatchObject({ allowLoopbackWebhooks: false, outboundCaFile: null });
    const insecure = { ALLOW_INSECURE_WEBHOOKS: 'true', OUTBOUND_CA_FILE: '/etc/ca.pem' };
    expect(Configuration.read(insecure)).toMatchObject({
      allowLoopbackWebhooks: true,
      allowLoopbackInputs: false,
      outboundCaFile: '/etc/ca.pem',
    });
    expect(Configuration.read({ ALLOW_INSECURE_INPUT_URLS: 'true' })).toMatchObject({
      allowLoopbackWebhooks: false,
      allowLoopbackInputs: true,
    });
    expect(Configuration.read(LIVE).allowLoopbackWebhooks).toBe(false);
  });

  it('goes live with what it needs', () => {
    expect(Configuration.read(LIVE)).toMatchObject({
      environment: 'live',
      isEmbedded: false,
      jwtSecret: SECRET,
    });
  });

  it('lets unsent answers take an eighth of the heap, and a client stall for 20 seconds', () => {
    const { unsentBytesMax, stalledWriteTimeoutMs } = Configuration.read({});
    expect(unsentBytesMax).toBe(Math.floor(getHeapStatistics().heap_size_limit / 8));
    expect(stalledWriteTimeoutMs).toBe(20_000);
    expect(Configuration.read({ UNSENT_BYTES_MAX: '2097152' }).unsentBytesMax).toBe(2_097_152);
  });
});

/** What the table says of defaults that are no fixed value. */
const IN_WORDS: Record<string, string> = {
  JWT_SECRET: 'embedded: made once',
  ADMIN_EMAIL: 'embedded: made once',
  DATABASE_SESSION_URL: 'as `DATABASE_URL`',
  ADMIN_PASSWORD: 'embedded: made once',
  RETRIEVAL_EMBEDDING_MODEL: "the upstreams' default",
  UNSENT_BYTES_MAX: 'an eighth of the heap',
  PRICE_SOURCES: 'Kraken, Coinbase, Bitstamp',
};

describe('docs/configuration.md', () => {
  it('has every variable in its table, and each default as it is', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    const rows = [...page.matchAll(/^\| (`[A-Z].*?`) \|(.*?)\|/gm)];
    const documented = rows.flatMap(([, names = '', value = '']) =>
      names.split(', ').map((name) => [name.replaceAll('`', ''), value.trim()]),
    );
    const defaults = new Configuration() as unknown as Record<string, string | number | boolean | null>;
    const real = [...VARIABLES].map(([property, name]) => [
      name,
      IN_WORDS[name] ?? String(defaults[property] ?? ''),
    ]);
    expect(documented.toSorted()).toEqual(real.toSorted());
  });
});
