import { jsonReaction, chatAnswer, chatEvents, streamReaction } from './upstream-answers';
import { RawUpstream, type Script } from './raw-upstream';
import { ServiceWithUpstreams, type UpstreamEntry } from './service-with-upstreams';
import { createAccount, type TestAccount } from '../api/world';

/** What upstreams are shown, and nobody else may ever see. */
export const UPSTREAM_KEY = 'sk-upstream/secret+0123456789';
export const SECOND_ANSWER = 'The second one answers.';

/** Longer than any pause of a busy machine. */
const LONG_TIMEOUTS = { connect_timeout_ms: 20_000, first_byte_timeout_ms: 20_000, total_timeout_ms: 20_000 };
/** For upstreams that are to run out of time once they have been reached. */
export const SHORT_TIMEOUTS = { ...LONG_TIMEOUTS, first_byte_timeout_ms: 600, total_timeout_ms: 1_200 };

/**
 * A service in front of one upstream for each case, so that no case meets the breaker that another one has opened. Each
 * serves a model of the case's name alone, and one that a second upstream serves too, which always answers.
 */
export class FaultyUpstreams {
  private constructor(
    readonly service: ServiceWithUpstreams,
    private readonly cases: ReadonlyMap<string, RawUpstream>,
    readonly second: RawUpstream,
  ) {}

  /** @param names at most 31; @param entries what differs from the usual entry, by case */
  static async start(
    names: readonly string[],
    entries: Readonly<Record<string, Partial<UpstreamEntry>>> = {},
    environment: Record<string, string> = {},
  ): Promise<FaultyUpstreams> {
    const second = await RawUpstream.start(answering(SECOND_ANSWER));
    const cases = new Map<string, RawUpstream>();
    const upstreams: UpstreamEntry[] = [];
    for (const name of names) {
      const upstream = await RawUpstream.start(answering('The first one answers.'));
      cases.set(name, upstream);
      upstreams.push({
        name,
        base_url: upstream.baseUrl,
        api_key: UPSTREAM_KEY,
        models: [{ id: name }, { id: sharedModel(name) }],
        ...LONG_TIMEOUTS,
        ...entries[name],
      });
    }
    const models = names.map((name) => ({ id: sharedModel(name) }));
    upstreams.push({ name: 'second', base_url: second.baseUrl, models, ...LONG_TIMEOUTS });
    return new FaultyUpstreams(await ServiceWithUpstreams.start(upstreams, environment), cases, second);
  }

  of(name: string): RawUpstream {
    const upstream = this.cases.get(name);
    if (!upstream) {
      throw new Error(`there is no upstream for ${name}`);
    }
    return upstream;
  }

  /** An account with 10 USD and no rate limits. */
  async account(): Promise<TestAccount> {
    return createAccount(this.service.service, { creditUsd: '10' });
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.second, ...this.cases.values()].map((upstream) => upstream.stop()));
  }
}

/** The model that the case's upstream serves, and the second one too. */
export function sharedModel(name: string): string {
  return `${name}-shared`;
}

/** Answers chats and completions, streamed and not, with one text. */
export function answering(text: string): Script {
  return ({ body, path }) => {
    const model = String(body?.model);
    const isChat = path.endsWith('/chat/completions');
    if (body?.stream === true) {
      return streamReaction(isChat ? chatEvents(model, { texts: [text] }) : completionEvents(model, text));
    }
    const answer = chatAnswer(model, { texts: [text] });
    const choices = [{ index: 0, text, logprobs: null, finish_reason: 'stop' }];
    return jsonReaction(isChat ? answer : { ...answer, object: 'text_completion', choices });
  };
}

/** The events of a chat's stream as those of a completion. */
export function completionEvents(model: string, text: string): string[] {
  return chatEvents(model, { texts: [text] }).map((event) =>
    event.includes('[DONE]')
      ? event
      : event
          .replace('"chat.completion.chunk"', '"text_completion"')
          .replace(
            /"delta":\{(?:[^{}]*"content":("(?:[^"\\]|\\.)*"))?[^{}]*\}/,
            (_, content?: string) => `"text":${content ?? '""'}`,
          ),
  );
}
