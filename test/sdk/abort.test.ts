import { APIUserAbortError } from 'openai';
import { TURNS_IN_100_MS, turnsDuring } from '../support/event-loop-turns';
import { LockStep } from '../support/ledger/lock-step';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatCostNanoUsd, MODEL, sdkScene } from '../support/upstream/sdk-scene';
import { until } from '../support/until';
import { chatEvents, streamReaction } from '../support/upstream/upstream-answers';

const WORDS = Array.from({ length: 40 }, (_, index) => ` word${index}`);
const CHAT = {
  model: MODEL,
  stream: true as const,
  messages: [{ role: 'user' as const, content: 'Say many words.' }],
};

describe('the openai package: abort', () => {
  let lockStep: LockStep;
  const scene = sdkScene(() => RawUpstream.start(() => ({})));
  beforeEach(() => {
    lockStep = new LockStep();
    scene.upstream.script = () =>
      streamReaction(chatEvents(MODEL, { texts: [WORDS.join('')] }), { lockStep });
  });

  it.each([0, 1, 17])(
    'closes the connection to the upstream, and pays for the input and the %i words it was sent',
    async (count) => {
      // One more, because the first event tells the role.
      lockStep.release(1 + count);
      const stream = await scene.client.chat.completions.create(CHAT);
      let text = '';
      for await (const { choices } of stream) {
        text += choices[0]?.delta.content ?? '';
        if (text === WORDS.slice(0, count).join('')) {
          break;
        }
      }
      const call = scene.upstream.lastCall;
      const turns = await turnsDuring(async () => {
        stream.controller.abort();
        await until('the upstream notices', () => call.leftByClientAt !== null);
      });
      expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
      expect(call.chunksWritten).toBe(1 + count);

      await until('it is settled', async () => (await scene.running.faults()).length === 0);
      const receipt = await scene.running.lastReceipt(scene.world.owner);
      expect(receipt.inputTokens).toBeGreaterThan(0);
      // A word of the stream is two or three tokens; of none that was not sent anything is charged.
      expect(receipt.outputTokens).toBeGreaterThanOrEqual(count);
      expect(receipt.outputTokens).toBeLessThanOrEqual(3 * count);
      expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(receipt.inputTokens + receipt.outputTokens));
    },
  );

  it('closes the connection to the upstream before its first byte, and pays for the input', async () => {
    const controller = new AbortController();
    const call = scene.client.chat.completions.create(CHAT, { signal: controller.signal });
    const outcome = call.catch((error: unknown) => error);
    const before = scene.upstream.calls.length;
    await until('the upstream is asked', () => scene.upstream.calls.length > before);
    const asked = scene.upstream.lastCall;
    const turns = await turnsDuring(async () => {
      controller.abort();
      expect(await outcome).toBeInstanceOf(APIUserAbortError);
      await until('the upstream notices', () => asked.leftByClientAt !== null);
    });
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
    await until('it is settled', async () => (await scene.running.faults()).length === 0);
    const { inputTokens, outputTokens } = await scene.running.lastReceipt(scene.world.owner);
    expect([inputTokens > 0, outputTokens]).toEqual([true, 0]);
    expect(await scene.spentNanoUsd()).toBe(chatCostNanoUsd(inputTokens));
  });
});
