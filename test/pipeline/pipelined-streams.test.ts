import { connect, type AddressInfo } from 'node:net';
import { inTurn, playNextStream, TEXT_CHUNK, untilAborted } from '../support/upstream/fake-stream';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { World } from '../support/api/world';

const BODY = JSON.stringify({
  model: 'm',
  max_tokens: 50,
  stream: true,
  messages: [{ role: 'user', content: 'When? At nine.' }],
});

describe('two streams that a client asks for on one connection, one after the other', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    world = await World.create(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => service.stop());

  it('both stop their upstreams when the client goes away', async () => {
    const streams = [1, 2].map(() =>
      playNextStream(service, (signal) => inTurn([TEXT_CHUNK], () => untilAborted(signal))),
    );
    const { port } = (service.app.getHttpServer() as { address(): AddressInfo }).address();
    const socket = connect(port, '127.0.0.1');
    const request = [
      'POST /v1/chat/completions HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      `x-api-key: ${world.owner.key}`,
      `content-length: ${Buffer.byteLength(BODY)}`,
      '',
      BODY,
    ].join('\r\n');
    socket.write(request + request);
    await until('both have begun', () => streams.every(({ taken }) => taken === 1));
    socket.destroy();
    await until('both upstreams are told', () => streams.every(({ signal }) => signal?.aborted === true));
  });
});
