import { Injectable, Logger, Module } from '@nestjs/common';
import { type Call, ommApi, type OmmApi } from '../../../generated/contract';
import type {
  Health,
  OmmAnalysis,
  OmmBatch,
  OmmBatchOperation,
  OmmBatchResult,
  OmmCapability,
  OmmGenerated,
  OmmModels,
  OmmProcessed,
  OmmTask,
  OmmTransformed,
  ResponseMetadata,
} from '../../../generated/types';
import { type InternalAnswer, MeteredCalls, type RunStage } from '../../pipeline/metered-calls';
import { ReplayedFailure } from '../../pipeline/step-8-usage-log';
import { API_VERSION, Serves } from '../../contract/operation';
import {
  ApiError,
  Conflict,
  OperationTimedOut,
  OutcomeUnknown,
  ServiceUnavailable,
  Unprocessable,
  errorText,
} from '../../errors/api-errors';
import { nanoToUsd, usdToNano } from '../../ledger/money';
import { Models } from '../../models/models';
import { Engines } from '../../models/models.module';
import type { InputType } from '../../models/multimodal/inputs';
import type { FinalUsage } from '../../models/streamed-answer';
import { originOf, withOrigin } from '../../observability/tracing';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { ModelOperations, OmmEstimates } from './model-operations';
import { RULE_METHODS, TASKS_OF_MODELS } from './processing';
import { IMAGE_TARGETS, RuleOperations, WRITTEN_KINDS } from './rule-operations';

/** Nothing is revealed of an unexpected error. */
function failureOf(thrown: unknown): Pick<OmmBatchResult, 'status' | 'data' | 'error'> {
  if (thrown instanceof ApiError) {
    const { status, error, message, options } = thrown;
    const fields = thrown instanceof ReplayedFailure ? {} : options.fields;
    return { status, data: null, error: { error, message, ...fields } };
  }
  const message =
    thrown instanceof OutcomeUnknown
      ? 'Nobody can tell yet whether this item was charged. Its receipt will.'
      : 'Something went wrong on our side.';
  return { status: 500, data: null, error: { error: 'Internal Server Error', message } };
}

const AT_ONCE_MAX = 3;
/** Below the batch call's own time, so that a batch always reports its items. */
const TIME_MS_MAX = 100_000;
const ANSWERS_LENGTH_MAX = 16 * 1024 * 1024;

const OPERATIONS: Record<OmmBatchOperation, string> = {
  process: 'processInputs',
  analyze: 'analyzeInputs',
  generate: 'generateFromInputs',
  transform: 'transformInput',
};

type BatchPlace = Pick<OmmBatchResult, 'index' | 'operation'>;

interface ItemOutcome {
  result: OmmBatchResult;
  chargedNanoUsd: bigint;
  tokens: number;
}

/** A failed item stops no other and costs what it was charged; where none can be paid, all are refused. */
@Injectable()
export class BatchRuns {
  private readonly logger = new Logger('Batches');
  readonly answersLengthMax: number = ANSWERS_LENGTH_MAX;

  constructor(private readonly calls: MeteredCalls) {}

  /** @throws the error of an item that a retry has to run, the signal's reason, or a refusal where the first item cannot be paid */
  async run({ body, key, idempotencyId, signal }: Call<'runOmmBatch'>): Promise<ItemOutcome[]> {
    const principal = { kind: 'key' as const, keyId: key.id };
    const cancel = new AbortController();
    withOrigin(cancel.signal, originOf(signal));
    const timer = setTimeout(() => cancel.abort(new OperationTimedOut(TIME_MS_MAX)), TIME_MS_MAX);
    const leave = () => cancel.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    let left = this.answersLengthMax;
    const accept = (answer: unknown): void => {
      const { length } = JSON.stringify(answer);
      if (length > left) {
        throw new Unprocessable(
          'The answers of a batch have at most 16 MiB together, and this one has no room left; ask for it by itself.',
        );
      }
      left -= length;
    };
    const outcomes: ItemOutcome[] = [];
    const waiting = [...body.items.entries()];
    let unfinished: Error | null = null;
    const further: Promise<void>[] = [];
    // One by one until an item is paid for, so that none runs where the first cannot be.
    const begin = (): void => {
      while (further.length < AT_ONCE_MAX - 1) {
        further.push(work());
      }
    };
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, { operation, body }] = next;
        const requestId = newId();
        let spent = { chargedNanoUsd: 0n, tokens: 0 };
        const charged = ({ chargedNanoUsd, tokens }: FinalUsage) => (spent = { chargedNanoUsd, tokens });
        const reached = (stage: RunStage): void => (stage === 'reserved' ? begin() : undefined);
        const retry = idempotencyId !== null && { idempotencyKey: `batch-${idempotencyId}-${index}` };
        const seen = { accept, reached, charged };
        // The rate limit counted the batch, not its parts.
        const options = { requestId, cancel: cancel.signal, isPart: true, ...seen, ...retry };
        try {
          cancel.signal.throwIfAborted();
          const answer = await this.calls.run(OPERATIONS[operation], principal, { body }, options);
          outcomes[index] = answered(answer, { index, operation });
          begin();
        } catch (error) {
          const isFirst = further.length === 0 && unfinished === null;
          if (isFirst && error instanceof ApiError && error.status === 402) {
            throw error;
          }
          outcomes[index] = failed(error, { index, operation }, { ...spent, requestId });
          if (!(error instanceof ApiError)) {
            this.logger.error({ message: 'an item of a batch failed', error: errorText(error) });
          }
          unfinished ??= idempotencyId !== null && isUnfinished(error) ? error : null;
        }
      }
    };
    try {
      await work();
      await Promise.all(further);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
    return this.ended(outcomes, unfinished, signal);
  }

  private ended(outcomes: ItemOutcome[], unfinished: Error | null, signal: AbortSignal): ItemOutcome[] {
    if (unfinished) {
      throw unfinished;
    }
    if (signal.aborted && outcomes.every(({ result }) => result.error !== null)) {
      throw signal.reason;
    }
    return outcomes;
  }
}

/** A retry has to run these. Of an item that may have been charged it finds the answer. */
function isUnfinished(error: unknown): error is Error {
  const isStillRunning = error instanceof Conflict && error.options.headers !== undefined;
  return isStillRunning || error instanceof OutcomeUnknown || error instanceof ServiceUnavailable;
}

/** A failure kept by an earlier run has that run's id and cost, as an answer does. */
function failed(
  error: unknown,
  about: BatchPlace,
  { tokens, ...run }: { requestId: string; chargedNanoUsd: bigint; tokens: number },
): ItemOutcome {
  const { requestId, chargedNanoUsd } =
    error instanceof ReplayedFailure
      ? { requestId: error.requestId, chargedNanoUsd: usdToNano(error.costUsd) }
      : run;
  const charged = { cost: nanoToUsd(chargedNanoUsd), request_id: requestId };
  return { result: { ...about, ...charged, ...failureOf(error) }, chargedNanoUsd, tokens };
}

function answered({ body, headers }: InternalAnswer, about: BatchPlace): ItemOutcome {
  const { data, metadata } = JSON.parse(body ?? '') as Pick<OmmBatchResult, 'data'> & {
    metadata: ResponseMetadata;
  };
  const chargedNanoUsd = usdToNano(metadata.cost);
  const charged = { cost: nanoToUsd(chargedNanoUsd), request_id: metadata.request_id };
  const tokens = Number(headers['x-tokens-used']);
  return { result: { ...about, ...charged, status: 200, data, error: null }, chargedNanoUsd, tokens };
}

const TASKS: readonly OmmTask[] = ['describe', 'summarize', 'extract', 'classify', 'keywords', 'ocr'];
const INPUTS: readonly InputType[] = ['text', 'image', 'document'];
const TEXTS = Object.keys(WRITTEN_KINDS);

type Upstream = Pick<OmmCapability, 'engine' | 'available'>;

async function capabilities(engines: Engines, models: Models): Promise<OmmModels> {
  const [listed, answering, served] = await Promise.all([
    engines.list(),
    engines.answering('chat'),
    models.list(),
  ]);
  const hasUpstream = answering.engine === 'upstream';
  const upstream: Upstream = { engine: 'upstream', available: hasUpstream && answering.isAvailable };
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
      ...IMAGE_TARGETS.map((output) => byRules('transform', 'image', output, 'conversion')),
      ...IMAGE_TARGETS.map((output) => ofModel('transform', null, 'text', output, NOTHING)),
      ofModel('transform', null, 'text', 'audio', NOTHING),
      ofModel('transform', null, 'image', 'text', NOTHING),
    ],
    engines: listed.map(({ provider, quality, isAvailable: available }) => ({
      ...{ provider, quality, available },
    })),
    models: served
      .filter(({ operations, terms }) => operations.includes('chat') && terms !== undefined)
      .map(({ id, ownedBy }) => ({ id, provider: ownedBy })),
  };
}

const NOTHING: Upstream = { engine: 'upstream', available: false };

function processing(
  task: OmmTask,
  input: InputType,
  upstream: Upstream,
  hasUpstream: boolean,
): OmmCapability {
  const method = input === 'image' ? undefined : RULE_METHODS[task];
  const isRuled = method !== undefined && (!hasUpstream || !TASKS_OF_MODELS.includes(task));
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
  return { operation, task: null, input, output, engine: 'embedded', method, available: true };
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
    private readonly byModels: ModelOperations,
    private readonly byRules: RuleOperations,
    private readonly batches: BatchRuns,
    private readonly engines: Engines,
    private readonly models: Models,
  ) {}

  async getOmmHealth(): Promise<Health> {
    return Promise.resolve({ status: 'ok', version: API_VERSION, timestamp: this.clock.now().toISOString() });
  }

  processInputs(call: Call<'processInputs'>): Promise<OmmProcessed> {
    return this.byModels.process(call);
  }

  analyzeInputs(call: Call<'analyzeInputs'>): Promise<OmmAnalysis> {
    return this.byRules.analyze(call);
  }

  generateFromInputs(call: Call<'generateFromInputs'>): Promise<OmmGenerated> {
    return this.byModels.generate(call);
  }

  transformInput(call: Call<'transformInput'>): Promise<OmmTransformed> {
    return this.byRules.transform(call);
  }

  async runOmmBatch(call: Call<'runOmmBatch'>): Promise<OmmBatch> {
    const outcomes = await this.batches.run(call);
    const results = outcomes.map(({ result }) => result);
    const costNanoUsd = outcomes.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n);
    call.includeCost(
      costNanoUsd,
      outcomes.reduce((sum, { tokens }) => sum + tokens, 0),
    );
    const failed = results.filter(({ error }) => error !== null).length;
    return { results, succeeded: results.length - failed, failed, cost: nanoToUsd(costNanoUsd) };
  }

  listOmmModels(): Promise<OmmModels> {
    return capabilities(this.engines, this.models);
  }
}

@Module({
  controllers: [OmmController],
  providers: [BatchRuns, ModelOperations, OmmEstimates, RuleOperations],
})
export class OmmModule {}
