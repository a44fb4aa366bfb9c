import { Resolver } from 'node:dns/promises';
import { SystemResolver } from './outbound-http';

describe('SystemResolver', () => {
  const unknown = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  const answering = (v4: () => Promise<string[]>, v6: () => Promise<string[]>) => {
    jest.spyOn(Resolver.prototype, 'resolve4').mockImplementation(v4);
    jest.spyOn(Resolver.prototype, 'resolve6').mockImplementation(v6);
    return new SystemResolver().resolve('hooks.example.com');
  };
  const addresses =
    (...list: string[]) =>
    () =>
      Promise.resolve(list);
  afterEach(() => jest.restoreAllMocks());

  it('fails when there is neither kind of address', async () => {
    await expect(answering(unknown, unknown)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('finds addresses of both kinds, or of the one that there is', async () => {
    expect(await answering(addresses('93.184.216.34', '10.0.0.1'), addresses('::1'))).toEqual([
      '93.184.216.34',
      '10.0.0.1',
      '::1',
    ]);
    expect(await answering(unknown, addresses('2606:2800:220:1::1'))).toEqual(['2606:2800:220:1::1']);
    expect(await answering(addresses('93.184.216.34'), unknown)).toEqual(['93.184.216.34']);
  });
});
