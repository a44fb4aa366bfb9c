import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { agentsApi, type AgentsApi, type Call } from '../../../generated/contract';
import type {
  Agent,
  AgentChat,
  AgentList,
  AgentMemory,
  AgentStep,
  AgentText,
  CreateAgentRequest,
  UpdateAgentRequest,
} from '../../../generated/types';
import { planOf, Serves } from '../../contract/operation';
import { openPeriod } from '../../ledger/period';
import { usageFields } from '../../ledger/money';
import { UpstreamFailed } from '../../models/errors';
import { usesTogether } from '../../models/generation/structured-answers';
import type { TextCall } from '../../models/generation/text-order';
import { AnswerSoFar, reportedUse, useOf } from '../../models/usage';
import { producedByMessage, saidByModel } from '../../models/message-text';
import type { ChatChoice, ChatRequest, ChatResponse, ModelAnswer } from '../../models/model-provider';
import { Models } from '../../models/models';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { MemoriesRepository } from '../../retrieval/memories.repository';
import { ChunkRetrieval } from '../../retrieval/rag-retrieval';
import { Clock } from '../../runtime/clock';
import { isObject, inSnakeCase } from '../../runtime/json';
import { TokenCounter } from '../../text/token-counter';
import { AgentEstimates, AgentMemories, type AgentRun, PlannedRun } from './agent-run';
import {
  AgentSteps,
  AgentStream,
  type StepAnswer,
  stepInputTokens,
  stepOutputTokens,
  type TakenStep,
} from './agent-steps';
import { AgentTools, currentTimeTool, memorySearchTool, ragRetrieveTool } from './agent-tools';
import { AgentEntity, type AgentFields, Agents } from './agents.repository';
import { CALCULATOR } from './calculator';

@Injectable()
export class AgentRuns {
  constructor(
    private readonly models: Models,
    private readonly memories: AgentMemories,
    private readonly tools: AgentTools,
    private readonly tokens: TokenCounter,
    private readonly clock: Clock,
  ) {}

  async answer(run: AgentRun, call: TextCall): Promise<TakenStep[]> {
    const steps = await this.begin(run, call);
    const { signal } = call;
    while (!steps.isOver) {
      const request = steps.next();
      const progress = this.watched(steps, request, call);
      const answer = await this.models.chat(request, { signal, ownCap: true, route: run.route, progress });
      const counted = () => progress.dropped();
      await steps.take(await this.stepAnswer(request, answer), signal, counted);
      call.setEngine(answer.engine);
      call.setHeader('X-Model-Used', answer.modelId ?? answer.response.model);
    }
    call.meter.report(steps.use);
    return steps.taken;
  }

  async stream(
    run: AgentRun,
    call: TextCall,
    whole: (steps: readonly TakenStep[]) => object,
  ): Promise<AgentStream> {
    const { signal } = call;
    const steps = await this.begin(run, call);
    const ask = (request: ChatRequest) => {
      const progress = this.watched(steps, request, call);
      const asked = { ...request, stream: true, stream_options: { include_usage: true } };
      const options = { signal, ownCap: true, route: run.route, progress };
      return { progress, stream: this.models.streamChat(asked, options) };
    };
    const request = steps.next();
    const stream = await ask(request).stream;
    call.setEngine(stream.engine);
    call.setHeader('X-Model-Used', stream.modelId ?? stream.model);
    const created = Math.floor(this.clock.now().getTime() / 1000);
    return new AgentStream({ steps, whole, request, stream, ask, counter: this.tokens, signal, created });
  }

  private async begin(run: AgentRun, { signal, meter }: TextCall): Promise<AgentSteps> {
    const messages = await this.memories.recall(run, signal);
    return new AgentSteps(run, messages, meter.outputTokensMax, this.tools, this.tokens);
  }

  /** The use to charge when the caller leaves: that of finished steps, and of the present one so far. */
  private watched(steps: AgentSteps, request: ChatRequest, { meter }: TextCall): AnswerSoFar {
    const progress = new AnswerSoFar(this.tokens, async () => ({
      inputTokens: await stepInputTokens(request, this.tokens.withFallback()),
      outputTokensMax: request.max_completion_tokens ?? Infinity,
    }));
    meter.watch({
      useSoFar: () => {
        const part = progress.useSoFar();
        if (part) {
          return steps.useWith(part);
        }
        return steps.hasAnswered ? Promise.resolve(steps.use) : null;
      },
    });
    return progress;
  }

  private async stepAnswer(
    request: ChatRequest,
    { response, engine }: ModelAnswer<ChatResponse>,
  ): Promise<StepAnswer> {
    const choices = (response as Partial<ChatResponse>).choices ?? [];
    const [choice] = choices as Partial<ChatChoice>[];
    if (!isObject(choice?.message)) {
      throw new UpstreamFailed(engine.provider, 'sent an answer without a message');
    }
    const { message, finish_reason: finishReason = null } = choice as ChatChoice;
    const counter = this.tokens.withFallback();
    const use = await useOf(reportedUse(response.usage), {
      inputTokens: () => stepInputTokens(request, counter),
      outputTokens: async () => stepOutputTokens(request, await counter.countAll(producedByMessage(message))),
    });
    return { model: response.model, finishReason, message, use };
  }
}

function toAgent(agent: AgentEntity): Agent {
  const { memoryEnabled: enabled, memoryNamespace: namespace, memoryTopK: topK } = agent;
  return {
    ...inSnakeCase(agent, 'id', 'name', 'systemPrompt', 'model', 'temperature', 'maxTokens', 'tools'),
    memory: { enabled, namespace, top_k: topK },
    ...inSnakeCase(agent, 'metadata', 'createdAt', 'updatedAt'),
  };
}

export function toAgentFields(body: CreateAgentRequest): AgentFields {
  return { ...AGENT_DEFAULT, ...toAgentChange(body), name: body.name };
}

function toAgentChange(body: UpdateAgentRequest): Partial<AgentFields> {
  const given: Partial<AgentFields> = {
    name: body.name,
    systemPrompt: body.system_prompt,
    model: body.model,
    temperature: body.temperature,
    maxTokens: body.max_tokens,
    tools: body.tools,
    ...(body.memory && memoryFields(body.memory)),
    metadata: body.metadata,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const MEMORY_DEFAULT: Required<AgentMemory> = { enabled: false, namespace: 'default', top_k: 5 };

function memoryFields(
  memory: AgentMemory,
): Pick<AgentFields, 'memoryEnabled' | 'memoryNamespace' | 'memoryTopK'> {
  const { enabled, namespace, top_k: topK } = { ...MEMORY_DEFAULT, ...memory };
  return { memoryEnabled: enabled, memoryNamespace: namespace, memoryTopK: topK };
}

const AGENT_DEFAULT = {
  ...{ systemPrompt: null, model: null, temperature: null, maxTokens: null, tools: [], metadata: {} },
  ...memoryFields(MEMORY_DEFAULT),
};

function toAgentText(run: AgentRun, steps: readonly TakenStep[]): AgentText {
  const { message, ...rest } = toAgentChat(run, steps);
  return { text: message.content, ...rest };
}

function toAgentChat(run: AgentRun, steps: readonly TakenStep[]): AgentChat {
  const last = steps.at(-1);
  if (!last) {
    throw new Error('a run ended without a step');
  }
  return {
    message: { role: 'assistant', content: textOf(last) },
    model: last.model,
    agent_id: run.agent?.id ?? null,
    finish_reason: last.finishReason,
    usage: usageFields(usesTogether(steps.map(({ use }) => use))),
    steps: steps.map(toAgentStep),
  };
}

function toAgentStep({ model, finishReason, toolCalls, use }: TakenStep): AgentStep {
  return {
    model,
    finish_reason: finishReason,
    tool_calls: toolCalls.map(({ name, arguments: text, text: result, isError }) => ({
      name,
      arguments: text,
      result,
      is_error: isError,
    })),
    usage: usageFields(use),
  };
}

function textOf({ message }: TakenStep): string {
  const { text, refusal } = saidByModel(message);
  return text || refusal;
}

@Serves(agentsApi)
class AgentsController implements AgentsApi {
  constructor(
    private readonly agents: Agents,
    private readonly runs: AgentRuns,
  ) {}

  async createAgent({ account, body, idempotencyId }: Call<'createAgent'>): Promise<Agent> {
    return toAgent(await this.agents.create(account.id, toAgentFields(body), idempotencyId));
  }

  async listAgents({ account, query }: Call<'listAgents'>): Promise<AgentList> {
    const { items, ...page } = await this.agents.list(account.id, { ...query, ...openPeriod(query) });
    return { agents: items.map(toAgent), ...page };
  }

  async getAgent({ account, params }: Call<'getAgent'>): Promise<Agent> {
    return toAgent(await this.agents.get(account.id, params.agent_id));
  }

  async updateAgent({ account, params, body }: Call<'updateAgent'>): Promise<Agent> {
    return toAgent(await this.agents.change(account.id, params.agent_id, toAgentChange(body)));
  }

  async deleteAgent({ account, params }: Call<'deleteAgent'>): Promise<void> {
    await this.agents.remove(account.id, params.agent_id);
  }

  async generateWithAgent(call: Call<'generateWithAgent'>): Promise<AgentText> {
    const { run } = planOf(call, PlannedRun);
    return toAgentText(run, await this.runs.answer(run, call));
  }

  async chatWithAgent(call: Call<'chatWithAgent'>): Promise<AgentChat | StreamedAnswer> {
    const { run } = planOf(call, PlannedRun);
    if (call.body.stream) {
      return this.runs.stream(run, call, (steps) => toAgentChat(run, steps));
    }
    return toAgentChat(run, await this.runs.answer(run, call));
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([AgentEntity])],
  controllers: [AgentsController],
  providers: [
    AgentEstimates,
    AgentMemories,
    AgentRuns,
    Agents,
    {
      provide: AgentTools,
      inject: [MemoriesRepository, ChunkRetrieval, Clock],
      useFactory: (memories: MemoriesRepository, retrieval: ChunkRetrieval, clock: Clock) => {
        const tools = new AgentTools();
        tools.register(CALCULATOR);
        tools.register(currentTimeTool(clock));
        tools.register(memorySearchTool(memories, clock));
        tools.register(ragRetrieveTool(retrieval));
        return tools;
      },
    },
  ],
  exports: [AgentTools],
})
export class AgentsModule {}
