import { createServer } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { checkSettings, shutDownOnSignals } from './application';
import { Configuration } from './config/configuration';

describe('settings are judged before anything is touched', () => {
  it.each([
    [{ PRICE_SOURCES: '[]' }, 'PRICE_SOURCES must name'],
    [{ BTC_XPUB: 'xpub', BTC_ESPLORA_URL: 'http://127.0.0.1' }, 'BTC_XPUB: '],
    [{ SOL_ADDRESS_POOL: '/nowhere', SOL_RPC_URL: 'http://127.0.0.1' }, 'SOL_ADDRESS_POOL: '],
    [{ OUTBOUND_CA_FILE: '/nowhere' }, 'OUTBOUND_CA_FILE (/nowhere): '],
  ])('%j', (environment, fault) => {
    expect(() => checkSettings(Configuration.read(environment))).toThrow(fault);
  });

  it('of which those of an embedded service are sound', () => {
    expect(() => checkSettings(Configuration.read({}))).not.toThrow();
  });
});

describe('a process that gets SIGTERM', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  });

  it('ends before the 40 s of docker-compose.yml are over, whatever its shutdown waits for', async () => {
    jest.useFakeTimers();
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const exited = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const application = { close: () => new Promise<void>(() => undefined) };
    shutDownOnSignals(application as INestApplicationContext, createServer(), () => Promise.resolve());
    process.emit('SIGTERM', 'SIGTERM');
    await jest.advanceTimersByTimeAsync(30_000);
    expect(exited).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(7_000);
    expect(exited.mock.calls).toEqual([[1]]);
    expect(String(written.mock.calls[0]?.[0])).toMatch(/^the shutdown failed: .*ends as after a crash/);
  });
});
