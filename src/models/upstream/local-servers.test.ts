import { RawUpstream, type Script } from '../../../test/support/upstream/raw-upstream';
import { errorReaction, jsonReaction } from '../../../test/support/upstream/upstream-answers';
import { Configuration } from '../../config/configuration';
import { withLocalServers } from './upstream-models';

const MODELS = { object: 'list', data: [{ id: 'small-chat' }, { id: 'small-embed' }] };

describe('UPSTREAMS=local', () => {
  const servers: RawUpstream[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function placeOf(name: string, script: Script) {
    const server = await RawUpstream.start(script);
    servers.push(server);
    return { name, port: Number(new URL(server.baseUrl).port) };
  }

  it('looks for nothing where UPSTREAMS says something else', async () => {
    const place = await placeOf('one', () => jsonReaction(MODELS));
    for (const environment of [{}, { UPSTREAMS: '[]' }, { UPSTREAMS: 'locals' }]) {
      expect(await withLocalServers(environment, [place])).toEqual({
        environment,
        found: null,
        warning: null,
      });
    }
    expect(servers[0]?.requests).toEqual([]);
  });

  it('says what it met at each port where no server lists models, and names no upstream', async () => {
    const places = [
      { name: 'nobody', port: 9 },
      await placeOf('locked', () => errorReaction(401, 'no key')),
      await placeOf('empty', () => jsonReaction({ object: 'list', data: null })),
      await placeOf('page', () => ({ chunks: ['<html></html>'] })),
    ];
    const { environment, found, warning } = await withLocalServers({ UPSTREAMS: 'local' }, places);
    expect([environment.UPSTREAMS, found]).toEqual(['', []]);
    expect(Configuration.read(environment).upstreams).toEqual([]);
    expect(warning).toMatch(
      /^UPSTREAMS=local finds no .*nobody at http:\/\/127\.0\.0\.1:9\/v1: no answer; locked at .*answers 401; empty at .*lists no models; page at .*lists no models/,
    );
  });

  it('names those that list models, in the order of their places and past any proxy', async () => {
    const first = await placeOf('first', () => jsonReaction(MODELS));
    const second = await placeOf('second', () => jsonReaction({ object: 'list', data: [{ id: 'other' }] }));
    const places = [first, { name: 'nobody', port: 9 }, second];
    const { environment, found, warning } = await withLocalServers({ UPSTREAMS: ' Local ' }, places);
    expect(Configuration.read(environment).upstreams).toMatchObject([
      { name: 'first', baseUrl: `http://127.0.0.1:${first.port}/v1`, models: null, proxyUrl: 'none' },
      { name: 'second', baseUrl: `http://127.0.0.1:${second.port}/v1`, models: null, proxyUrl: 'none' },
    ]);
    expect(found).toEqual([
      `first at http://127.0.0.1:${first.port}/v1: 2 models`,
      `second at http://127.0.0.1:${second.port}/v1: 1 model`,
    ]);
    expect(warning).toBeNull();
  });
});
