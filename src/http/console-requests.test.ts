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
});

function cookieIn(cookie: string | undefined): string | null {
  return consoleRequest(requestTo('api.example', { cookie }), null).cookie;
}

function requestTo(host: string, headers: FastifyRequest['headers']): FastifyRequest {
  return { method: 'GET', host, headers } as FastifyRequest;
}
