import { eventLoopMsOf, processorMsOf } from '../../test/support/processor-time';
import { OperationTimedOut, ServiceUnavailable } from '../errors/api-errors';
import { withOrigin } from '../observability/tracing';
import { textJobs } from './text.jobs';
import { TextThreads } from './text-threads';
import { TokenCounter } from './token-counter';

const hostileLetters = 'กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ';

/**
 * Unbroken letters that share no merges: the text that takes longest per byte to count. It is the same in every run.
 */
function hostileText(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return hostileLetters[(state >>> 8) % hostileLetters.length];
  }).join('');
}

describe('TextThreads', () => {
  const large = 'The bees dance to tell the others where flowers are. '.repeat(500);
  const threads = new TextThreads({ deadlineMs: 50_000 });

  afterAll(() => threads.close());

  it('gives the same results in a thread as in process', async () => {
    const messages = [{ role: 'user', name: '', parts: [`Where are flowers? ${large}`] }];
    const answer = { messages, stop: [], outputTokensMax: 50 };
    const embed = { texts: [large, 'bees'], dimensions: 384 };
    const inThread = await threads.run(textJobs.embedTexts, embed, [large]);
    const inProcess = textJobs.embedTexts.run(embed);

    const cut = `# Bees\n${large}`;
    expect(await threads.run(textJobs.cutText, cut, [cut])).toEqual(textJobs.cutText.run(cut));
    expect(await threads.run(textJobs.answerMessages, answer, [large])).toEqual(
      textJobs.answerMessages.run(answer),
    );
    expect(await threads.run(textJobs.countPackedTokens, packed(large), [large])).toEqual(
      textJobs.countPackedTokens.run(packed(large)),
    );
    expect(inThread.inputTokens).toBe(inProcess.inputTokens);
    expect(Array.from(inThread.vectors)).toEqual(Array.from(inProcess.vectors));
  });

  it('leaves the event loop free while it counts 300 KB of hostile text', async () => {
    const counter = new TokenCounter(threads);
    const text = hostileText(100_000);
    await counter.count(large);
    let processMs = 0;
    const loopMs = await eventLoopMsOf(async () => {
      processMs = await processorMsOf(() => counter.count(text));
    });
    expect(loopMs).toBeLessThan(processMs / 4);
  });

  it('lets the event loop turn between small texts that take long together', async () => {
    let turns = 0;
    let turning = setImmediate(function turn() {
      turns += 1;
      turning = setImmediate(turn);
    });
    const small = 'EUR 5 and more. '.repeat(450);
    for (let job = 0; job < 10; job += 1) {
      await threads.run(textJobs.findEntities, small, [small]);
    }
    await Promise.all(Array.from({ length: 10 }, () => threads.run(textJobs.findEntities, small, [small])));
    clearImmediate(turning);
    expect(turns).toBeGreaterThanOrEqual(18);
  });

  it('refuses with 504 after the deadline, and goes on working', async () => {
    const hurried = new TextThreads({ deadlineMs: 1, threadsMax: 1 });
    const counter = new TokenCounter(hurried);
    await expect(counter.count(`${large} that is new`)).rejects.toThrow(OperationTimedOut);
    await expect(counter.count('small')).resolves.toBe(1);
    await hurried.close();
  });

  it('gives up with the reason when the caller goes away, before or while it works', async () => {
    const counter = new TokenCounter(threads);
    const gone = new Error('client went away');
    await expect(counter.count('small', AbortSignal.abort(gone))).rejects.toBe(gone);
    const controller = new AbortController();
    const counting = counter.count(hostileText(100_001), controller.signal);
    controller.abort(gone);
    await expect(counting).rejects.toBe(gone);
    await expect(counter.count(`${large} after it`)).resolves.toBeGreaterThan(1_000);
  });

  it('has the next job of another account before those that one has waiting already', async () => {
    const one = new TextThreads({ deadlineMs: 50_000, threadsMax: 1, waitMsMax: 600_000 });
    const begun: string[] = [];
    const count = (accountId: string) => {
      const { signal } = new AbortController();
      withOrigin(signal, { requestId: accountId, causedBy: null, accountId, span: null });
      return one.run(textJobs.countPackedTokens, packed(large), [large], signal, () => begun.push(accountId));
    };
    await Promise.all([...Array.from({ length: 8 }, () => count('busy')), count('other')]);
    expect(begun).toEqual(['busy', 'other', ...Array.from({ length: 7 }, () => 'busy')]);
    await one.close();
  });

  it('does not end the thread of a job whose caller has gone, nor free its place', async () => {
    const one = new TextThreads({ deadlineMs: 50_000, threadsMax: 1, waitMsMax: 600_000 });
    await one.run(textJobs.countPackedTokens, packed(large), [large]);
    const order: string[] = [];
    const threads = () => one['pool'].threads.map(({ threadId }) => threadId);
    const before = threads();
    const gone = new AbortController();
    const left = one.run(textJobs.countPackedTokens, packed(large), [large], gone.signal, () =>
      order.push('left'),
    );
    const next = one.run(textJobs.countPackedTokens, packed(large), [large], undefined, () =>
      order.push('next'),
    );
    gone.abort(new Error('client went away'));
    await expect(left).rejects.toThrow('client went away');
    expect(order).toEqual(['left']);
    await next;
    expect([order, threads()]).toEqual([['left', 'next'], before]);
    expect(before.length).toBe(1);
    await one.close();
  });

  it('refuses with 503 and Retry-After when too much is waiting', async () => {
    const busy = new TextThreads({ deadlineMs: 50_000, threadsMax: 1, waitingMax: 1 });
    const counter = new TokenCounter(busy);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => counter.count(`${large} ${index}`)),
    );
    const refusals = outcomes
      .filter((outcome) => outcome.status === 'rejected')
      .map(({ reason }) => reason as unknown);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.length).toBeLessThan(5);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(ServiceUnavailable);
      expect((refusal as ServiceUnavailable).options.headers).toHaveProperty('Retry-After');
    }
    await busy.close();
  });
});

function packed(text: string): Parameters<typeof textJobs.countPackedTokens.run>[0] {
  return { text, lengths: Uint32Array.of(text.length) };
}
