import { readWrkOutput } from './wrk-output';

const HEAD = 'Running 4s test @ http://127.0.0.1:3000/echo\n  1 threads and 64 connections\n';
const TAIL = 'Requests/sec:  15432.10\nTransfer/sec:      7.21MB\n';

describe('readWrkOutput', () => {
  it('refuses output without a result, and shows it', () => {
    expect(() => readWrkOutput('unable to connect to 127.0.0.1:1 Connection refused\n')).toThrow(
      'Connection refused',
    );
  });

  it('refuses a load in which no call was answered', () => {
    const none = '{"calls":0,"microseconds":4000000,"p50Us":0,"p99Us":0,"statuses":0,"sockets":0}';
    expect(() => readWrkOutput(`${HEAD}RESULT ${none}\n`)).toThrow('no call was answered');
  });

  it('counts refusals and broken connections as failures', () => {
    const some = '{"calls":10,"microseconds":4000000,"p50Us":1,"p99Us":2,"statuses":3,"sockets":4}';
    expect(readWrkOutput(`RESULT ${some}`).failures).toBe(7);
  });

  it('reads throughput and latency from between the text of wrk', () => {
    const result =
      '{"calls":61000,"microseconds":4000000,"p50Us":4012,"p99Us":17250,"statuses":0,"sockets":0}';
    expect(readWrkOutput(`${HEAD}${TAIL}RESULT ${result}\n`)).toEqual({
      calls: 61_000,
      callsPerSecond: 15_250,
      p50Ms: 4.012,
      p99Ms: 17.25,
      failures: 0,
    });
  });
});
