import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { shutDownOnSignals } from './application';
import { CallsInFlight } from './pipeline/calls-in-flight';

describe('a process that gets SIGTERM', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  });

  it('ends before the 40 s of docker-compose.yml are over, whatever its shutdown waits for', async () => {
    jest.useFakeTimers();
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const logged = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    const exited = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const application = applicationThat(() => new Promise<void>(() => undefined));
    shutDownOnSignals(application, createServer(), () => Promise.resolve());
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGTERM', 'SIGTERM');
    expect(logged.mock.calls).toEqual([['SIGTERM: what is under way is finished first']]);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(exited).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(7_000);
    expect(exited.mock.calls).toEqual([[1]]);
    expect(String(written.mock.calls[0]?.[0])).toMatch(/^the shutdown failed: .*ends as after a crash/);
  });

  it('serves what comes on connections that are open, ends them, and only then refuses calls', async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    const exited = new Promise((resolve) => {
      jest.spyOn(process, 'exit').mockImplementation(resolve as never);
    });
    const held: ServerResponse[] = [];
    const server = createServer((_request, response) => void held.push(response)).listen(0);
    const close = jest.fn(() => Promise.resolve());
    shutDownOnSignals(applicationThat(close), server, () => Promise.resolve());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answers = [call(server, agent), call(server, agent)];
    await once(server, 'request');
    process.emit('SIGTERM', 'SIGTERM');
    const second = once(server, 'request');
    held[0]?.end();
    await second;
    expect(close).not.toHaveBeenCalled();
    held[1]?.end();
    const connections = (await Promise.all(answers)).map(({ headers }) => headers.connection);
    expect(connections).toEqual(['keep-alive', 'close']);
    expect(await exited).toBe(0);
    expect(close).toHaveBeenCalledTimes(1);
  });
});

function applicationThat(close: () => Promise<void>): INestApplicationContext {
  return { close, get: () => new CallsInFlight() } as unknown as INestApplicationContext;
}

function call(server: Server, agent: Agent): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    get({ port, agent }, (answer) => resolve(answer.resume())).once('error', reject);
  });
}
