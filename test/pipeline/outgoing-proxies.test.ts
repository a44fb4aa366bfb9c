import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Logger } from '@nestjs/common';
import { OperatorHttp } from '../../src/http/operator-http';
import { OutboundHttp } from '../../src/http/outbound/outbound-http';
import { UpstreamProvider } from '../../src/models/upstream/upstream-provider';
import { Configuration } from '../../src/config/configuration';
import { TestAuthority } from '../support/receiver/test-authority';
import { ForwardProxy } from '../support/upstream/forward-proxy';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { answering } from '../support/upstream/faulty-upstreams';

const TEXT = 'From behind the proxy.';
const ENTRY = { name: 'far', apiKey: 'sk', models: null };
const TIMES = { connectTimeoutMs: 9000, firstByteTimeoutMs: 9000, totalTimeoutMs: 9000 };
const BOUNDS = { timeoutMs: 9000, answerBytesMax: 4096 };

describe("the way out through a company's proxy", () => {
  let proxy: ForwardProxy;
  let upstream: RawUpstream;
  let secure: Server;
  let securePort: number;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    proxy = await ForwardProxy.start();
    upstream = await RawUpstream.start(answering(TEXT));
    secure = createServer(await (await TestAuthority.create()).issue(['far.example']), (_, answer) =>
      answer.end('{"height":7}'),
    );
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    securePort = (secure.address() as AddressInfo).port;
    proxy.hosts.set('far.example', upstream.baseUrl.slice('http://'.length, -'/v1'.length));
    proxy.hosts.set('far.example:443', `127.0.0.1:${securePort}`);
  });
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    proxy.requests.length = 0;
    proxy.connectStatus = 200;
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_TLS_REJECT_UNAUTHORIZED']) {
      delete process.env[name];
    }
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(open.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    await Promise.all([proxy.stop(), upstream.stop()]);
    secure.closeAllConnections();
    secure.close();
  });

  function provider(fields: { baseUrl?: string; proxyUrl?: string } = {}): UpstreamProvider {
    const settings = { ...ENTRY, ...TIMES, baseUrl: 'http://far.example/v1', ...fields };
    const made = new UpstreamProvider(settings, { backoffMs: () => 1 });
    open.push(made);
    return made;
  }
  const text = async (one: UpstreamProvider) =>
    (await one.chat({ model: 'm', messages: [] }, {})).response.choices[0]?.message.content;
  const node = (url: string) => {
    const http = new OperatorHttp(url, BOUNDS);
    open.push(http);
    return http;
  };
  const CHAT_LINE = 'POST http://far.example/v1/chat/completions';

  it('is that of the environment: whole addresses for http, with the name and password of the proxy', async () => {
    process.env.HTTP_PROXY = proxy.url.replace('//', '//clerk:p%40ss@');
    const one = provider();
    expect(await text(one)).toBe(TEXT);
    const streamed: string[] = [];
    for await (const { data } of (await one.streamChat({ model: 'm', messages: [] }, {})).events) {
      streamed.push(data);
    }
    expect(streamed.join('')).toContain('proxy.');
    expect(proxy.lines).toEqual([CHAT_LINE, CHAT_LINE]);
    const basic = `Basic ${Buffer.from('clerk:p@ss').toString('base64')}`;
    expect(proxy.requests.map(({ authorization }) => authorization)).toEqual([basic, basic]);
    expect(upstream.lastCall.headers).not.toHaveProperty('proxy-authorization');
  });

  it('is a connection for https, for nodes and price sources too', async () => {
    process.env.HTTPS_PROXY = proxy.url;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    expect(await node('https://far.example/height').json({})).toEqual({ status: 200, json: { height: 7 } });
    expect(proxy.lines).toEqual(['CONNECT far.example:443']);
  });

  it('checks the certificate of the server behind it', async () => {
    process.env.HTTPS_PROXY = proxy.url;
    await expect(node('https://far.example').json({})).rejects.toThrow('the call failed');
    expect(proxy.lines).toEqual(['CONNECT far.example:443']);
  });

  it('fails as a failure to connect where the proxy refuses', async () => {
    process.env.HTTPS_PROXY = proxy.url;
    proxy.connectStatus = 403;
    await expect(text(provider({ baseUrl: 'https://far.example/v1' }))).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('could not be reached'),
    });
    await expect(node('https://far.example').json({})).rejects.toThrow('the call failed');
  });

  it('is left out for the hosts of NO_PROXY', async () => {
    process.env.HTTP_PROXY = proxy.url;
    process.env.NO_PROXY = 'localhost,127.0.0.1';
    expect(await text(provider({ baseUrl: upstream.baseUrl }))).toBe(TEXT);
    upstream.script = () => ({ chunks: ['{"height":7}'] });
    expect((await node(upstream.baseUrl).json({ path: '/tip' })).json).toEqual({ height: 7 });
    upstream.script = answering(TEXT);
    expect(proxy.lines).toEqual([]);
  });

  it("is an upstream's own where its entry names one, or none", async () => {
    process.env.NO_PROXY = '*';
    expect(await text(provider({ proxyUrl: proxy.url }))).toBe(TEXT);
    expect(proxy.lines).toEqual([CHAT_LINE]);
    delete process.env.NO_PROXY;
    process.env.HTTP_PROXY = proxy.url;
    expect(await text(provider({ baseUrl: upstream.baseUrl, proxyUrl: 'none' }))).toBe(TEXT);
    expect(proxy.lines).toHaveLength(1);
  });

  it('is never that of customers’ addresses, which a proxy would look up itself', async () => {
    process.env.HTTP_PROXY = proxy.url;
    process.env.HTTPS_PROXY = proxy.url;
    const resolver = { resolve: () => Promise.resolve(['10.0.0.1']) };
    const outbound = new OutboundHttp({ allowLoopback: true, resolver, authorities: createSecureContext() });
    const call = { headers: {}, timeoutMs: 9000, answerBytesMax: 100 };
    await expect(outbound.get({ ...call, url: 'https://far.example/' })).rejects.toThrow('public address');
    upstream.script = () => ({ chunks: ['here'] });
    expect((await outbound.get({ ...call, url: upstream.baseUrl })).body.toString()).toBe('here');
    upstream.script = answering(TEXT);
    outbound.onModuleDestroy();
    expect(proxy.lines).toEqual([]);
  });

  it.each([
    ['HTTP_PROXY', { HTTP_PROXY: 'proxy.corp:3128x' }],
    ['https_proxy', { https_proxy: 'ftp://proxy' }],
    [
      'UPSTREAMS[0].proxy_url',
      { UPSTREAMS: '[{"name":"a","base_url":"http://a","proxy_url":"ftp://secret"}]' },
    ],
  ])('refuses to start with a fault in %s, which it does not repeat', (name, environment) => {
    let fault: Error | null = null;
    try {
      Configuration.read(environment);
    } catch (error) {
      fault = error as Error;
    }
    expect(fault?.message).toContain(`${name} must be the http or https URL of a proxy`);
    expect(fault?.message).not.toMatch(/ftp|3128x/);
  });
});
