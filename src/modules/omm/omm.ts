import { Injectable, Module } from '@nestjs/common';
import {
  type AnalyzeInputsCall,
  type GenerateFromInputsCall,
  ommApi,
  type OmmApi,
  type ProcessInputsCall,
  type RunOmmBatchCall,
  type TransformInputCall,
} from '../../../generated/contract';
import type {
  Health,
  OmmAnalysis,
  OmmBatch,
  OmmBatchItem,
  OmmBatchOperation,
  OmmBatchResult,
  OmmCapability,
  OmmGenerated,
  OmmModels,
  OmmProcessed,
  OmmTask,
  OmmTransformed,
} from '../../../generated/types';
import { API_VERSION, Serves } from '../../contract/serves';
import { nanoToUsd } from '../../ledger/usd';
import { Models } from '../../models/models';
import { Engines } from '../../models/models.module';
import type { InputType } from '../../models/multimodal/inputs';
import { Clock } from '../../runtime/clock';
import { BatchRuns, type ItemOutcome } from './batch-runs';
import { GenerationService, ProcessingService } from './model-operations';
import { OmmEstimates, RuleAnswers } from './omm-estimates';
import { ProcessingRules, RULE_METHODS } from './processing';
import { AnalysisService, TransformationService } from './rule-operations';

const OPERATIONS: Record<OmmBatchOperation, string> = {
  process: 'processInputs',
  analyze: 'analyzeInputs',
  generate: 'generateFromInputs',
  transform: 'transformInput',
};

@Injectable()
class BatchService {
  constructor(private readonly runs: BatchRuns) {}

  async run(call: RunOmmBatchCall): Promise<OmmBatch> {
    const { body, key, idempotencyId, signal } = call;
    const items = body.items.map(({ operation, body: of }) => ({
      operationId: OPERATIONS[operation],
      body: of,
    }));
    const outcomes = await this.runs.run({ items, keyId: key.id, idempotencyId, signal });
    const results = outcomes.map((outcome, index) => resultOf(outcome, index, body.items));
    const costNanoUsd = outcomes.reduce((sum, outcome) => sum + chargeOf(outcome), 0n);
    call.includeCost(costNanoUsd);
    const failed = results.filter(({ error }) => error !== null).length;
    return { results, succeeded: results.length - failed, failed, cost: nanoToUsd(costNanoUsd) };
  }
}

function resultOf(outcome: ItemOutcome, index: number, items: readonly OmmBatchItem[]): OmmBatchResult {
  const operation = items[index]?.operation ?? 'process';
  const about = { index, operation, cost: nanoToUsd(chargeOf(outcome)), request_id: outcome.requestId };
  if ('failure' in outcome) {
    const { status, error, message, details } = outcome.failure;
    return { ...about, status, data: null, error: { error, message, details: [...details] } };
  }
  return { ...about, status: 200, data: outcome.data as OmmBatchResult['data'], error: null };
}

function chargeOf(outcome: ItemOutcome): bigint {
  return 'failure' in outcome ? 0n : outcome.chargedNanoUsd;
}

const TASKS: readonly OmmTask[] = ['describe', 'summarize', 'extract', 'classify', 'keywords', 'ocr'];
const INPUTS: readonly InputType[] = ['text', 'image', 'document'];
/** Where rules answer better than any model would. */
const TASKS_OF_RULES: readonly OmmTask[] = ['keywords', 'ocr'];
const TEXTS = ['text', 'markdown', 'html', 'docx', 'pdf'];
const PICTURES = ['png', 'jpeg', 'webp'];
const EMBEDDED = 'embedded';

type Upstream = Pick<OmmCapability, 'engine' | 'available'>;

@Injectable()
class Capabilities {
  constructor(
    private readonly engines: Engines,
    private readonly models: Models,
  ) {}

  async list(): Promise<OmmModels> {
    const [engines, answering, models] = await Promise.all([
      this.engines.list(),
      this.engines.answering('chat'),
      this.models.list(),
    ]);
    const upstream: Upstream = {
      engine: 'upstream',
      available: answering.engine === 'upstream' && answering.isAvailable,
    };
    const hasUpstream = answering.engine === 'upstream';
    return {
      capabilities: [
        ...TASKS.flatMap((task) => INPUTS.map((input) => processing(task, input, upstream, hasUpstream))),
        ofModel('process', 'transcribe', null, 'fields', NOTHING),
        ...INPUTS.map((input) => byRules('analyze', input, 'fields', 'analysis')),
        hasUpstream
          ? ofModel('generate', null, null, 'text', upstream)
          : byRules('generate', null, 'text', 'template'),
        ofModel('generate', null, 'image', 'text', upstream),
        ...['image', 'audio'].map((output) => ofModel('generate', null, null, output, NOTHING)),
        ...(['text', 'document'] as const).flatMap((input) =>
          TEXTS.map((output) => byRules('transform', input, output, 'conversion')),
        ),
        ...PICTURES.map((output) => byRules('transform', 'image', output, 'conversion')),
        ...PICTURES.map((output) => ofModel('transform', null, 'text', output, NOTHING)),
        ofModel('transform', null, 'text', 'audio', NOTHING),
        ofModel('transform', null, 'image', 'text', NOTHING),
      ],
      engines: engines.map(({ provider, quality, isAvailable }) => ({
        provider,
        quality,
        available: isAvailable,
      })),
      models: models
        .filter(({ operations, terms }) => operations.includes('chat') && terms !== undefined)
        .map(({ id, ownedBy }) => ({ id, provider: ownedBy })),
    };
  }
}

/** What no upstream is asked for, whichever there are. */
const NOTHING: Upstream = { engine: 'upstream', available: false };

function processing(
  task: OmmTask,
  input: InputType,
  upstream: Upstream,
  hasUpstream: boolean,
): OmmCapability {
  const method = input === 'image' ? undefined : RULE_METHODS[task];
  const isRuled = method !== undefined && (!hasUpstream || TASKS_OF_RULES.includes(task));
  return isRuled
    ? { ...byRules('process', input, 'fields', method), task }
    : ofModel('process', task, input, 'fields', upstream);
}

function byRules(
  operation: OmmBatchOperation,
  input: InputType | null,
  output: string,
  method: string,
): OmmCapability {
  return { operation, task: null, input, output, engine: EMBEDDED, method, available: true };
}

function ofModel(
  operation: OmmBatchOperation,
  task: OmmTask | null,
  input: InputType | null,
  output: string,
  upstream: Upstream,
): OmmCapability {
  return { operation, task, input, output, method: null, ...upstream };
}

@Serves(ommApi)
class OmmController implements OmmApi {
  constructor(
    private readonly clock: Clock,
    private readonly processing: ProcessingService,
    private readonly analysis: AnalysisService,
    private readonly generation: GenerationService,
    private readonly transformation: TransformationService,
    private readonly batches: BatchService,
    private readonly capabilities: Capabilities,
  ) {}

  async getOmmHealth(): Promise<Health> {
    return Promise.resolve({ status: 'ok', version: API_VERSION, timestamp: this.clock.now().toISOString() });
  }

  processInputs(call: ProcessInputsCall): Promise<OmmProcessed> {
    return this.processing.process(call);
  }

  analyzeInputs(call: AnalyzeInputsCall): Promise<OmmAnalysis> {
    return this.analysis.analyze(call);
  }

  generateFromInputs(call: GenerateFromInputsCall): Promise<OmmGenerated> {
    return this.generation.generate(call);
  }

  transformInput(call: TransformInputCall): Promise<OmmTransformed> {
    return this.transformation.transform(call);
  }

  runOmmBatch(call: RunOmmBatchCall): Promise<OmmBatch> {
    return this.batches.run(call);
  }

  listOmmModels(): Promise<OmmModels> {
    return this.capabilities.list();
  }
}

@Module({
  controllers: [OmmController],
  providers: [
    AnalysisService,
    BatchRuns,
    BatchService,
    Capabilities,
    GenerationService,
    OmmEstimates,
    ProcessingRules,
    ProcessingService,
    RuleAnswers,
    TransformationService,
  ],
})
export class OmmModule {}
