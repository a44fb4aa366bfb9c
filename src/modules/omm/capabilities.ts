import { Injectable } from '@nestjs/common';
import type { OmmBatchOperation, OmmCapability, OmmModels, OmmTask } from '../../../generated/types';
import { Engines } from '../../core/models/engines';
import { Models } from '../../core/models/models';
import type { InputType } from '../../core/models/multimodal/input';
import { RULE_METHODS } from './processing-rules';

const TASKS: readonly OmmTask[] = ['describe', 'summarize', 'extract', 'classify', 'keywords', 'ocr'];
const INPUTS: readonly InputType[] = ['text', 'image', 'document'];
/** Where rules answer better than any model would. */
const TASKS_OF_RULES: readonly OmmTask[] = ['keywords', 'ocr'];
const TEXTS = ['text', 'markdown', 'html', 'docx', 'pdf'];
const PICTURES = ['png', 'jpeg', 'webp'];
const EMBEDDED = 'embedded';

type Upstream = Pick<OmmCapability, 'engine' | 'available'>;

/** Tells what can be done now, and by what. */
@Injectable()
export class Capabilities {
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
