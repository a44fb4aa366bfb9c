import { LockStep } from '../ledger/lock-step';
import { RawUpstream } from './raw-upstream';
import { StreamedCall } from './streamed-call';
import { dataEvent, streamReaction } from './upstream-answers';

const PIECES = ['Three', ' months', ',', ' unless', ' both', ' sides', ' agree', '.'];
export const QUESTION = 'How long is the notice period?';
export const LED_MODEL = 'led';

export interface LedStream {
  readonly requestId: string;
  readonly call: StreamedCall;
  /** Released altogether, it lets the stream come to its end. */
  readonly lockStep: LockStep;
}

/** Streams that stand still after some pieces until a test ends them, whichever process serves them. */
export class LedStreams {
  private readonly lockSteps: LockStep[] = [];
  /** What every stream says that it has used, once it is complete. */
  readonly usage = { prompt_tokens: 7, completion_tokens: 5 };

  private constructor(readonly upstream: RawUpstream) {}

  static async start(): Promise<LedStreams> {
    const upstream = await RawUpstream.start(() => ({}));
    const streams = new LedStreams(upstream);
    const chunks = [
      ...PIECES.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
      chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
      chunk([], { usage: streams.usage }),
      dataEvent('[DONE]'),
    ];
    upstream.script = ({ body }) =>
      streamReaction(chunks, { lockStep: streams.lockStepOf(Number(body?.seed)) });
    return streams;
  }

  /** For UPSTREAMS. */
  get entries() {
    const times = { first_byte_timeout_ms: 50_000, total_timeout_ms: 50_000 };
    return [{ name: 'led', base_url: this.upstream.baseUrl, models: [{ id: LED_MODEL }], ...times }];
  }

  begin(fields: { url: string; key: string; requestId: string; outputTokensMax: number }): LedStream {
    const { url, key, requestId, outputTokensMax } = fields;
    const lockStep = new LockStep();
    // The only field that reaches the upstream and is not counted as text: all streams reserve the same.
    const seed = this.lockSteps.push(lockStep) - 1;
    const messages = [{ role: 'user', content: QUESTION }];
    const body = { model: LED_MODEL, messages, max_tokens: outputTokensMax, stream: true, seed };
    const call = new StreamedCall({ url: `${url}/v1/chat/completions`, key, requestId, body });
    return { requestId, call, lockStep };
  }

  /** Has so many pieces delivered, and returns their text. */
  async deliver({ lockStep, call }: LedStream, pieces: number): Promise<string> {
    for (let piece = 1; piece <= pieces; piece += 1) {
      lockStep.release();
      await call.receives(piece);
    }
    return PIECES.slice(0, pieces).join('');
  }

  async stop(): Promise<void> {
    await this.upstream.stop();
  }

  private lockStepOf(seed: number): LockStep {
    const lockStep = this.lockSteps[seed];
    if (!lockStep) {
      throw new RangeError(`no stream ${seed} has begun`);
    }
    return lockStep;
  }
}

function chunk(choices: unknown[], fields: object = {}): string {
  return dataEvent({ id: 'c', object: 'chat.completion.chunk', model: LED_MODEL, choices, ...fields });
}
