import type { OperationPolicy } from '../contract/operation';
import type { CallTransport } from './call-transport';
import { MeteredCall } from './metered-call';
import { CallsInFlight } from './calls-in-flight';

describe('CallsInFlight', () => {
  const headers: object[] = [];
  const transport = { setHeaders: (more: object) => void headers.push(more) } as unknown as CallTransport;
  const newCall = () => new MeteredCall({} as OperationPolicy, transport, new Date());
  afterEach(() => {
    headers.splice(0);
    jest.useRealTimers();
  });

  it('breaks streams off in time, and waits no longer than it says, however late it is asked to wait', async () => {
    jest.useFakeTimers();
    const inFlight = new CallsInFlight();
    const call = newCall();
    inFlight.begin(call);
    inFlight.streamBegins(call);
    inFlight.onModuleDestroy();
    jest.advanceTimersByTime(19_999);
    expect(call.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(call.signal.reason).toMatchObject({ status: 503 });
    jest.advanceTimersByTime(5_000);
    await inFlight.beforeApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('breaks off also the streams that begin when the others have been broken off', async () => {
    jest.useFakeTimers();
    const inFlight = new CallsInFlight();
    const [early, late] = [1, 2].map(() => {
      const call = newCall();
      inFlight.begin(call);
      return call;
    }) as [MeteredCall, MeteredCall];
    inFlight.streamBegins(early);
    inFlight.onModuleDestroy();
    const drained = inFlight.beforeApplicationShutdown();
    jest.advanceTimersByTime(20_000);
    expect([early.signal.aborted, late.signal.aborted]).toEqual([true, false]);
    inFlight.streamBegins(late);
    expect(late.signal.reason).toMatchObject({ status: 503 });
    inFlight.ended(early);
    inFlight.ended(late);
    await drained;
  });

  it('takes no more calls, and lets the answers of those under way end their connections', async () => {
    const inFlight = new CallsInFlight();
    const call = newCall();
    inFlight.begin(call);
    inFlight.endConnections();
    expect(headers).toEqual([{ connection: 'close' }]);
    inFlight.onModuleDestroy();
    expect(() => inFlight.begin(newCall())).toThrow('shutting down; call again');
    inFlight.ended(call);
    await inFlight.beforeApplicationShutdown();
  });
});
