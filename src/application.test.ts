import { createServer } from 'node:http';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { shutDownOnSignals } from './application';

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
    const application = { close: () => new Promise<void>(() => undefined) };
    shutDownOnSignals(application as INestApplicationContext, createServer(), () => Promise.resolve());
    process.emit('SIGTERM', 'SIGTERM');
    process.emit('SIGTERM', 'SIGTERM');
    expect(logged.mock.calls).toEqual([['SIGTERM: what is under way is finished first']]);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(exited).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(7_000);
    expect(exited.mock.calls).toEqual([[1]]);
    expect(String(written.mock.calls[0]?.[0])).toMatch(/^the shutdown failed: .*ends as after a crash/);
  });
});
