import type { FastifyRequest } from 'fastify';
import { consoleRequest } from './console-requests';

describe('consoleRequest', () => {
  it('takes the cookie of the session among others', () => {
    expect(cookieIn('a=1; __Host-console=secret; b=2')).toBe('secret');
    expect(cookieIn('a=1;\t__Host-console=secret \t;b=2')).toBe('secret');
    expect(cookieIn('a=1; x__Host-console=other')).toBeNull();
    expect(cookieIn(undefined)).toBeNull();
  });

  it.each(['\u00a0', '\u0085', '\ufeff', '\u2003', '\v', '\f'])(
    'takes no name for its own that begins with %j: any subdomain may set that one',
    (blank) => {
      expect(cookieIn(`${blank}__Host-console=planted; __Host-console=own`)).toBe('own');
      expect(cookieIn(`${blank}__Host-console=planted`)).toBeNull();
    },
  );

  it('takes neither of two cookies of its name', () => {
    expect(cookieIn('__Host-console=planted; __Host-console=own')).toBeNull();
  });

  it('takes nobody for local behind a proxy that names this machine, where PUBLIC_URL names another', () => {
    const headers = { origin: 'http://api.example.com', cookie: 'console=planted' };
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      const published = consoleRequest(requestTo(host, headers), 'http://api.example.com/base');
      expect([published.fault, published.isLocal, published.cookie]).toEqual([null, false, null]);
      const unpublished = consoleRequest(requestTo(host, headers), null);
      expect([unpublished.isLocal, unpublished.cookie]).toEqual([true, 'planted']);
    }
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:3000/base'])(
    'takes everybody for local where %s is published',
    (publicUrl) => {
      expect(consoleRequest(requestTo('service:3000', {}), publicUrl).isLocal).toBe(true);
    },
  );
});

function cookieIn(cookie: string | undefined): string | null {
  return consoleRequest(requestTo('api.example', { cookie }), null).cookie;
}

function requestTo(host: string, headers: FastifyRequest['headers']): FastifyRequest {
  return { method: 'GET', host, headers } as FastifyRequest;
}
