import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { UnusedConnections } from './http-server';

describe('UnusedConnections', () => {
  it('closes what nothing was asked over, and leaves a connection that is being answered', async () => {
    const server = createServer((_, response) => response.write('part'));
    const unused = new UnusedConnections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const silent = connect(port, '127.0.0.1');
    await once(server, 'connection');
    const asking = connect(port, '127.0.0.1');
    asking.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(asking, 'data');
    const closed = once(silent, 'close');
    unused.close();
    await closed;
    expect(asking.destroyed).toBe(false);
    asking.destroy();
    server.close();
    await once(server, 'close');
  });
});
