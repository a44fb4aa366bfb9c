import { ScriptedServer, type ScriptedReaction } from '../../test/support/chains/scripted-server';
import { JsonRpc, OperatorCallFailed, OperatorHttp } from './operator-http';

describe('a call to a server of the operator', () => {
  let server: ScriptedServer;
  let http: OperatorHttp;
  beforeAll(async () => {
    server = await ScriptedServer.start(() => 'silence');
    http = new OperatorHttp(server.url, { timeoutMs: 500, answerBytesMax: 100_000 });
  });
  afterAll(async () => {
    await http.close();
    await server.stop();
  });

  async function failure(reaction: ScriptedReaction): Promise<unknown> {
    server.react = () => reaction;
    return http.json({}).catch((error: unknown) => error);
  }

  it.each<[string, ScriptedReaction]>([
    ['one too long', { text: 'x'.repeat(100_001) }],
    ['an endless one', 'endless'],
  ])('tells %s from other faults', async (_, reaction) => {
    const error = await failure(reaction);
    expect(error).toBeInstanceOf(OperatorCallFailed);
    expect(error).toMatchObject({ isTooLong: true });
  });

  it.each<[string, ScriptedReaction]>([
    ['no JSON', { text: '<html>' }],
    ['half an answer', 'cut'],
    ['nothing at all', 'silence'],
  ])('does not call %s too long', async (_, reaction) => {
    expect(await failure(reaction)).toMatchObject({ isTooLong: false });
  });

  it('tells a fault of JSON-RPC whatever its members are', async () => {
    const odd = { toString: 1, valueOf: 1 };
    server.react = () => ({ text: JSON.stringify({ id: 0, error: { code: odd, message: odd } }) });
    await expect(new JsonRpc(http).call('getblock')).rejects.toMatchObject({
      code: NaN,
      text: JSON.stringify(odd),
    });
  });
});
