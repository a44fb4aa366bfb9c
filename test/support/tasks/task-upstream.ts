import { RawUpstream } from '../upstream/raw-upstream';
import {
  chatAnswer,
  chatEvents,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../upstream/upstream-reaction';

export const TASK_MODEL = 'taker';
/** What the model answers, piece by piece. It says nowhere how many tokens that is, so the service counts what came. */
export const TASK_ANSWER = 'One moment please, this takes a while to think about, and then it is done.';
const PIECES = 4;

/**
 * What a chat asks of the upstream of tasks: an answer within so many milliseconds, a refusal, or an answer only once the
 * test lets it go.
 */
export type Wish = `within ${number}` | 'a refusal' | 'when let go';

/** The body of a chat with the upstream of tasks. */
export function chatParameters(wish: Wish): Record<string, unknown> {
  return { model: TASK_MODEL, messages: [{ role: 'user', content: wish }], max_tokens: 64 };
}

/** An upstream that takes as long for each task's call as the task says. */
export class TaskUpstream {
  private letGoAll: () => void = () => undefined;
  private readonly gate = new Promise<void>((resolve) => (this.letGoAll = resolve));

  private constructor(readonly raw: RawUpstream) {}

  static async start(): Promise<TaskUpstream> {
    const upstream = new TaskUpstream(await RawUpstream.start(() => ({})));
    upstream.raw.script = (request) => upstream.reactionTo(request);
    return upstream;
  }

  /** For the environment of a service. */
  get environment(): { UPSTREAMS: string } {
    const models = [{ id: TASK_MODEL }];
    return { UPSTREAMS: JSON.stringify([{ name: 'slow', base_url: this.raw.baseUrl, models }]) };
  }

  /** Answers whatever waits for it, now and from now on. */
  letGo(): void {
    this.letGoAll();
  }

  stop(): Promise<void> {
    this.letGo();
    return this.raw.stop();
  }

  private async reactionTo({ body }: RecordedRequest): Promise<Reaction> {
    const [message] = (body?.messages ?? []) as { content: string }[];
    const wish = message?.content ?? '';
    if (wish === 'a refusal') {
      return errorReaction(400, 'The model does not like this.');
    }
    if (wish === 'when let go') {
      await this.gate;
    }
    const tookMs = Number(/^within (\d+)$/.exec(wish)?.[1] ?? 0);
    if (body?.stream === true) {
      const events = chatEvents(TASK_MODEL, { texts: [TASK_ANSWER], usage: undefined });
      return streamReaction(events, { delayBetweenChunksMs: Math.ceil(tookMs / events.length) });
    }
    const text = JSON.stringify(chatAnswer(TASK_MODEL, { texts: [TASK_ANSWER], usage: undefined }));
    const size = Math.ceil(text.length / PIECES);
    const chunks = Array.from({ length: PIECES }, (_, index) => text.slice(index * size, (index + 1) * size));
    const pauseMs = Math.ceil(tookMs / PIECES);
    return jsonReaction('', { chunks, delayBeforeHeadersMs: pauseMs, delayBetweenChunksMs: pauseMs });
  }
}
