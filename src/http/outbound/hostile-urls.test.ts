import net from 'node:net';
import { HttpsReceiver } from '../../../test/support/receiver/https-receiver';
import { InnerServer } from '../../../test/support/receiver/inner-server';
import { ScriptedResolver } from '../../../test/support/receiver/scripted-resolver';
import type { OutboundFault } from './outbound-connection';
import { OutboundHttp, trustedAuthorities } from './outbound-http';
import { outboundTarget } from './ssrf-policy';

const PUBLIC = '93.184.216.34';

/** Each is put into `https://HOST:PORT/`, with the port of a server that would take the connection. */
const INNER_HOSTS = [
  ['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ['0x7F.0x0.0x0.0x1', '127.255.255.254', '%31%32%37.0.0.1', '127.0.0.1.', '127.1.', '0', '0.0.0.0'],
  [
    '10.0.0.1',
    '10.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1',
    '3232235777',
    '0xc0a80101',
  ],
  ['100.64.0.1', '100.127.255.255', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376'],
  [
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.9',
  ],
  ['192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '256.0.0.1', '1.2.3.4.5'],
  ['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::]', '[::127.0.0.1]'],
  ['[::7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:10.0.0.1]', '[::ffff:0:127.0.0.1]'],
  ['[::ffff:8.8.8.8]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]'],
  [
    '[2002:a00:1::1]',
    '[2001:0:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:f5ff:fffe]',
    '[fc00::1]',
    '[fd00:ec2::254]',
  ],
  [
    '[fd20:ce::254]',
    '[fe80::1]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[::1%25lo]',
    '[fec0::1]',
    '[ff02::1]',
  ],
  ['[2001:db8::1]', '[3fff::1]', '[100::1]', '[5f00::1]', '[2001:2::1]', '[4000::1]', '[e000::1]', '[::1'],
  [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'a.localhost',
    'A.LocalHost.',
    'printer.local',
    'PRINTER.LOCAL.',
  ],
  [
    'metadata.google.internal',
    'Metadata.Google.INTERNAL.',
    'metadata',
    'postgres',
    'redis.',
    'ip6-localhost',
  ],
  [
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '１２７.0.0.1',
    '①②⑦.⓪.⓪.①',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'ｌｏｃａｌｈｏｓｔ',
    'x。local',
  ],
  [
    'x．ｉｎｔｅｒｎａｌ',
    'loc\u00adalhost',
    'local\u200bhost',
    'a..example.com',
    `${'a'.repeat(64)}.example.com`,
  ],
  [
    `${'a.'.repeat(130)}example.com`,
    'user@127.0.0.1',
    'user:word@example.com',
    '@example.com',
    ':@example.com',
  ],
  [
    'example.com@127.0.0.1',
    'example.com%40127.0.0.1',
    'example.com:443@10.0.0.1',
    'example.com%00.evil.com',
    'exa mple.com',
  ],
].flat();

/** Given as they are. */
const HOSTILE_URLS = [
  ...[22, 25, 80, 8, 0, 1, 444, 1023, 65_536, 99_999, -1].map((port) => `https://example.com:${port}/`),
  'https://93.184.216.34:25/',
  ...[
    'http://example.com/',
    'HTTP://EXAMPLE.COM/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ],
  ...[
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/plain,x',
    'ws://example.com/',
    'wss://example.com/',
    'blob:https://example.com/1',
  ],
  ...[
    'https:example.com',
    'https:/example.com/',
    'https:///example.com/',
    'https:\\\\example.com\\',
    '//example.com/',
    'example.com',
  ],
  ...[
    'https://',
    'https://?',
    'https://#',
    'https://:443/',
    '',
    ' ',
    ' https://example.com/',
    'https://example.com/ ',
  ],
  ...[
    'https://example.com/\r\nHost: 127.0.0.1',
    'https://example.com\r\n.evil.com/',
    'https://exa\tmple.com/',
  ],
  ...[
    'https://example.com/\u0000',
    'https://example.com\\@127.0.0.1/',
    'https://example.com/\u2028x',
    'https://example.com/a b',
  ],
  `https://example.com/${'a'.repeat(2048)}`,
];

/** What name servers of somebody hostile say to names that look harmless, look-up by look-up. */
const HOSTILE_ANSWERS: [name: string, ...answers: string[][]][] = [
  ['private.example.com', ['10.0.0.1']],
  ['loopback.example.com', ['127.0.0.1']],
  ['loopback6.example.com', ['::1']],
  ['mixed.example.com', [PUBLIC, '127.0.0.1']],
  ['mixed6.example.com', [PUBLIC, '2606:2800:220:1::1', '::ffff:127.0.0.1']],
  ['rebinding.example.com', [PUBLIC], ['127.0.0.1']],
  ['rebinding-mixed.example.com', [PUBLIC], [PUBLIC, '::1']],
  ['metadata.example.com', ['169.254.169.254']],
  ['metadata6.example.com', ['fd00:ec2::254']],
  ['wire.example.com', ['168.63.129.16']],
  ['mapped.example.com', ['::ffff:169.254.169.254']],
  ['nat64.example.com', ['64:ff9b::a9fe:a9fe']],
  ['nat64-own.example.com', ['64:ff9b:1::a00:1']],
  ['6to4.example.com', ['2002:7f00:1::1']],
  ['teredo.example.com', ['2001:0:53aa:64c:0:0:80ff:fffe']],
  ['zero.example.com', ['0.0.0.0']],
  ['zone.example.com', ['fe80::1%lo']],
  ['octal.example.com', ['0177.0.0.1']],
  ['number.example.com', ['2130706433']],
  ['no-address.example.com', ['localhost']],
  ['broadcast.example.com', ['255.255.255.255']],
  ['127.0.0.1.nip.io', ['127.0.0.1']],
];

describe('hostile URLs', () => {
  const table: [stopped: string, url: string, how: string][] = [];
  let inner: InnerServer;
  let receiver: HttpsReceiver;
  let resolver: ScriptedResolver;
  let http: OutboundHttp;
  /** Every address to which a connection was begun; none of them is really called. */
  const dialled: string[] = [];

  beforeAll(async () => {
    inner = await InnerServer.start();
    receiver = await HttpsReceiver.start();
  });
  afterAll(async () => {
    await Promise.all([inner.close(), receiver.close()]);
    const lines = table.map((row, index) => `${String(index + 1).padStart(4)}  ${row.join('  ')}\n`);
    process.stdout.write(`Hostile URLs, and where each was stopped:\n${lines.join('')}`);
  });
  beforeEach(() => {
    resolver = new ScriptedResolver();
    http = new OutboundHttp({ allowLoopback: false, resolver, authorities: trustedAuthorities(null) });
    dialled.length = 0;
    const connect = net.connect as (options: net.TcpNetConnectOpts) => net.Socket;
    jest.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
      dialled.push(options.host ?? '');
      // Public addresses of the tests lead to a port where nobody listens; all others would go where they say.
      return connect(options.host === PUBLIC ? { host: '127.0.0.1', port: 1 } : options);
    }) as typeof net.connect);
  });
  afterEach(() => {
    http.onModuleDestroy();
    jest.restoreAllMocks();
  });

  const call = (url: string) =>
    http.post({ url, headers: {}, body: '{}', timeoutMs: 20_000, answerBytesMax: 1024 }).then(
      ({ status }) => `answered with ${status}`,
      (error: OutboundFault) => error.reason,
    );
  const saving = (url: string): string => {
    try {
      return `taken as ${outboundTarget(url, { allowLoopback: false }).receiver}`;
    } catch (error) {
      return `${(error as OutboundFault).reason}: ${(error as OutboundFault).message}`;
    }
  };
  const note = (stopped: string, url: string, how: string) => {
    const printable = JSON.stringify(url.length > 60 ? `${url.slice(0, 57)}…` : url);
    table.push([stopped.padEnd(13), printable.padEnd(64), how]);
  };

  it.each([...INNER_HOSTS.map((host) => [`https://${host}:PORT/`]), ...HOSTILE_URLS.map((url) => [url])])(
    'refuses %j when it is saved, and when it is called all the same',
    async (form) => {
      const url = form.replace('PORT', String(inner.port));
      const verdict = saving(url);
      note('at saving', form, verdict);
      expect(verdict).toMatch(/^refused: The /);
      expect(await call(url)).toBe('refused');
      expect([dialled, resolver.asked, inner.connectionCount]).toEqual([[], [], 0]);
    },
  );

  it.each(HOSTILE_ANSWERS)('refuses to connect to %s', async (name, ...answers) => {
    resolver.set(name, ...answers);
    const url = `https://${name}:${inner.port}/`;
    expect(saving(url)).toBe(`taken as ${name}:${inner.port}`);
    for (let earlier = 1; earlier < answers.length; earlier += 1) {
      expect(await call(url)).toBe('unreachable');
    }
    const verdict = await call(url);
    note('at connecting', `https://${name}/`, `${verdict}: ${answers.map(String).join(', then ')}`);
    expect(verdict).toBe('refused');
    expect(dialled.filter((address) => address !== PUBLIC)).toEqual([]);
    expect([resolver.asked.length, dialled.length]).toEqual([answers.length, answers.length - 1]);
    expect(inner.connectionCount).toBe(0);
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'https://[::1]:PORT/',
    'https://10.0.0.1/',
    '//127.0.0.1:PORT/',
    'file:///etc/passwd',
  ])('does not follow a redirect to %s', async (form) => {
    const to = form.replace('PORT', String(inner.port));
    receiver.reaction = { kind: 'redirect', to };
    http = new OutboundHttp({
      allowLoopback: true,
      resolver,
      authorities: trustedAuthorities(receiver.caFile),
    });
    const verdict = await call(receiver.url());
    note('not followed', form, `redirect ${verdict}`);
    expect(verdict).toBe('answered with 302');
    expect([dialled, inner.connectionCount]).toEqual([['127.0.0.1'], 0]);
  });

  it('tells at least 60 apart, each by a case of its own', () => {
    const urls = new Set(table.map(([stopped, url]) => stopped + url));
    expect([urls.size >= 60, urls.size]).toEqual([true, table.length]);
  });

  it('would have shown a connection to the inner server', async () => {
    const careless = new OutboundHttp({
      allowLoopback: true,
      resolver,
      authorities: trustedAuthorities(null),
    });
    const url = `http://127.0.0.1:${inner.port}/`;
    const work = careless.post({ url, headers: {}, body: '', timeoutMs: 100, answerBytesMax: 0 });
    await expect(work).rejects.toMatchObject({ reason: 'timeout' });
    expect([dialled, inner.connectionCount]).toEqual([['127.0.0.1'], 1]);
  });
});

describe('outboundTarget', () => {
  it.each([
    ['https://Hooks.Example.COM/a?b=1', 'hooks.example.com:443'],
    ['https://hooks.example.com./', 'hooks.example.com:443'],
    ['https://hooks.example.com:443/', 'hooks.example.com:443'],
    ['https://hooks.example.com:1024/', 'hooks.example.com:1024'],
    ['https://hooks.example.com:65535/', 'hooks.example.com:65535'],
    ['https://bücher.example/', 'xn--bcher-kva.example:443'],
    ['https://local.example.com/', 'local.example.com:443'],
    ['https://not.locale/', 'not.locale:443'],
    ['https://93.184.216.34/', '93.184.216.34:443'],
    ['https://[2606:2800:220:1:248:1893:25c8:1946]:8443/', '[2606:2800:220:1:248:1893:25c8:1946]:8443'],
    ['https://example.com/@user', 'example.com:443'],
  ])('takes %s', (url, receiver) => {
    expect(outboundTarget(url, { allowLoopback: false }).receiver).toBe(receiver);
  });

  it.each([
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['http://localhost/', 'localhost:80'],
    ['https://LOCALHOST.:22/', 'localhost:22'],
    ['https://a.localhost/', 'a.localhost:443'],
    ['https://[::1]:9000/', '[::1]:9000'],
  ])('takes %s where this machine may be called', (url, receiver) => {
    expect(outboundTarget(url, { allowLoopback: true }).receiver).toBe(receiver);
  });

  it.each([
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'http://example.com/',
    'http://[::ffff:127.0.0.1]/',
    'https://x.local/',
  ])('refuses %s even there', (url) => {
    expect(() => outboundTarget(url, { allowLoopback: true })).toThrow(
      /^The (?:URL must begin|host must be)/,
    );
  });
});
