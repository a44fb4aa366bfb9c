import { HttpsReceiver } from '../../../test/support/receiver/https-receiver';
import { InnerServer } from '../../../test/support/receiver/inner-server';
import { ScriptedResolver } from '../../../test/support/receiver/scripted-resolver';
import { until } from '../../../test/support/until';
import { OutboundHttp, trustedAuthorities } from '../../http/outbound/outbound-http';
import { FAST_JOBS_AT_ONCE_MAX, FAST_PER_JOB_MAX, SLOW_JOBS_AT_ONCE_MAX } from './delivery.limits';

/** A waiting attempt would outlast its lease and be made again, and its quick receiver be taken for a slow one. */
it('no attempt waits for others, though none of those that a process makes at once is answered', async () => {
  const [silent, receiver] = await Promise.all([InnerServer.start(), HttpsReceiver.start()]);
  const authorities = trustedAuthorities(receiver.caFile);
  const http = new OutboundHttp({ allowLoopback: true, resolver: new ScriptedResolver(), authorities });
  const post = (url: string) =>
    http.post({ url, headers: {}, body: '{}', timeoutMs: 60_000, answerBytesMax: 1024 });
  const others = FAST_JOBS_AT_ONCE_MAX * FAST_PER_JOB_MAX + SLOW_JOBS_AT_ONCE_MAX - 1;
  const unanswered = Array.from({ length: others }, () => post(`http://127.0.0.1:${silent.port}/`));
  const ended = Promise.allSettled(unanswered);
  try {
    await until('all are under way', () => silent.connectionCount === others);
    expect(await post(receiver.url())).toMatchObject({ status: 204 });
  } finally {
    await silent.close();
    await ended;
    http.onModuleDestroy();
    await receiver.close();
  }
});
