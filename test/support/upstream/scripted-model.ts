import type {
  ChatRequest,
  ChatResponse,
  ModelAnswer,
  ModelProvider,
} from '../../../src/models/model-provider';
import { Models, type AskOptions, type ModelRoute } from '../../../src/models/models';
import type { World } from '../api/world';

export interface ScriptedAnswer {
  content?: string | null;
  /** By name and arguments as the model would write them, well or badly. */
  calls?: readonly (readonly [name: string, text: string])[];
  /** Instead of the calls: whatever a provider may send. */
  toolCalls?: unknown;
  /** Null for a provider that says nothing of it. */
  use?: readonly [inputTokens: number, outputTokens: number] | null;
  /** Further members of the message. */
  message?: object;
  fails?: Error;
}

/** A model that answers as a test says, request by request, and remembers what it was asked. The last answer repeats. */
export class ScriptedModel {
  readonly requests: ChatRequest[] = [];
  /** Which providers each request was meant for. */
  readonly routes: (ModelRoute | undefined)[] = [];

  /** A route to this model, under a name. */
  static routeTo(id: string): ModelRoute {
    const model = { id, created: 0, ownedBy: 'scripted', operations: ['chat' as const] };
    return { model, stops: [{ provider: {} as ModelProvider, model }] };
  }

  constructor(private readonly answers: readonly ScriptedAnswer[]) {}

  /** The last message of a request without the code of its tags. */
  shown(index: number): string {
    const content = this.requests[index]?.messages.at(-1)?.content ?? '';
    const text =
      typeof content === 'string' ? content : content.map(({ text: part = '' }) => part).join('\n');
    return text.replace(/(<\/?[a-z_0-9]+)-\d{18}>/g, '$1>');
  }

  /** Stands for Models.chat. */
  readonly chat = (
    request: ChatRequest,
    { signal, route }: AskOptions = {},
  ): Promise<ModelAnswer<ChatResponse>> => {
    signal?.throwIfAborted();
    const step = this.requests.length;
    this.requests.push(structuredClone(request));
    this.routes.push(route);
    const answer = this.answers[Math.min(step, this.answers.length - 1)] ?? {};
    if (answer.fails) {
      return Promise.reject(answer.fails);
    }
    return Promise.resolve({
      response: responseOf(answer, step),
      engine: { provider: 'scripted', method: 'script', quality: 'model' },
    });
  };
}

/** Has a scripted model answer the chats of a service in place of an upstream's, until jest restores its mocks. */
export function scriptModel(world: World, answers: readonly ScriptedAnswer[]): ScriptedModel {
  const model = new ScriptedModel(answers);
  const models = world.service.app.get(Models);
  jest.spyOn(models, 'route').mockResolvedValue(ScriptedModel.routeTo('scripted-1'));
  jest.spyOn(models, 'chat').mockImplementation(model.chat);
  return model;
}

/** Has a scripted model tell this, as JSON, whatever it is asked. */
export function scriptJson(world: World, told: object): ScriptedModel {
  return scriptModel(world, [{ content: JSON.stringify(told) }]);
}

function responseOf(
  { content, calls, toolCalls, use = [100, 10], message: members }: ScriptedAnswer,
  step: number,
): ChatResponse {
  const asked = calls?.map(([name, text], index) => ({
    id: `call_${step}_${index}`,
    type: 'function',
    function: { name, arguments: text },
  }));
  const message = {
    role: 'assistant' as const,
    content: content ?? null,
    tool_calls: toolCalls ?? asked,
    ...members,
  };
  const [inputTokens, outputTokens] = use ?? [NaN, NaN];
  return {
    id: `chatcmpl-${step}`,
    object: 'chat.completion',
    created: 0,
    model: 'scripted-1',
    choices: [{ index: 0, message, finish_reason: asked ? 'tool_calls' : 'stop' }],
    usage: (use && {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    }) as ChatResponse['usage'],
  };
}
