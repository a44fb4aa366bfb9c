import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  advancedApi,
  type AdvancedApi,
  type AnalyzeAdvancedCall,
  type GenerateAdvancedCall,
  type OptimizeAdvancedCall,
  type ProcessAdvancedCall,
} from '../../../generated/contract';
import type {
  AnalyzeAdvancedRequest,
  ContentAnalysis,
  GenerateAdvancedRequest,
  GeneratedContent,
  OptimizationGoal,
  OptimizeAdvancedRequest,
  OptimizedContent,
  ProcessAdvancedRequest,
  ProcessedContent,
  TemplateVariable,
  TextChangeMade,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/model-operations';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import { Unprocessable } from '../../errors/api-errors';
import type { AnswerTask } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { SourceTexts } from '../../retrieval/source-texts';
import { detectLanguage } from '../../text/detect-language';
import { quoteFaults, quotePlaces } from '../../text/quotes';
import type { StyleIssueType } from '../../text/style-issues';
import { TextThreads } from '../../text/text-threads';
import { changedText } from '../../text/tightened-text';
import { textCounts, textReadability } from './model-output';
import { checkParameters, type Processed, processingTask } from './processing';
import { analysisTask, type ToldAnalysis } from './text-analysis';
import { textJobs } from '../../text/text.jobs';

/** In UTF-16 units: what an operation may read, another one may write. A place may be repeated, which multiplies its value. */
const FILLED_LENGTH_MAX = 400_000;
const PLACE = /\{\{[ \t]{0,4}([A-Za-z_][A-Za-z0-9_]{0,63})[ \t]{0,4}\}\}/g;

/**
 * A template with every place filled. Values are never read as templates.
 * @throws Unprocessable for a place without a variable, a variable without a place or named twice, braces that are no place, and
 *   a text that would have more than 400,000 characters
 */
function filledTemplate(template: string, variables: readonly TemplateVariable[]): string {
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  const parts = template.split(PLACE);
  const names = parts.filter((_, index) => index % 2 === 1);
  const prose = parts.filter((_, index) => index % 2 === 0);
  const faults = [
    ...(values.size < variables.length ? ['a variable is named twice'] : []),
    ...[...new Set(names)].filter((name) => !values.has(name)).map((name) => `${name} has no variable`),
    ...[...values.keys()].filter((name) => !names.includes(name)).map((name) => `${name} has no place`),
    ...(prose.some((part) => part.includes('{{') || part.includes('}}'))
      ? ['a place is written {{name}}']
      : []),
  ];
  if (faults.length > 0) {
    throw new Unprocessable(`The template can't be filled: ${faults.slice(0, 10).join(', ')}.`);
  }
  const length = parts.reduce(
    (sum, part, index) => sum + (index % 2 === 0 ? part : (values.get(part) ?? '')).length,
    0,
  );
  if (length > FILLED_LENGTH_MAX) {
    throw new Unprocessable(`The filled template has more than ${FILLED_LENGTH_MAX} characters.`);
  }
  return parts.map((part, index) => (index % 2 === 0 ? part : (values.get(part) ?? ''))).join('');
}

interface Generation {
  kind: 'written' | 'filled_template';
  title: string | null;
  text: string;
}

const PROMPT = new PromptTemplate(
  'Write what is wanted here:\n{{request}}\nKeep to this material where there is any, and invent no facts beside it:\n{{material}}\n' +
    'Tone: {{tone}}. Length: {{length}}. Give the text, and a title or null where it needs none.',
);

const GENERATION_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'text'],
  properties: { title: { type: ['string', 'null'] }, text: { type: 'string', pattern: '\\S' } },
};

/**
 * A text that a model writes, or a template that is filled without one.
 * @throws Unprocessable unless the fields belong together, and what filledTemplate throws
 */
function generationTask(body: GenerateAdvancedRequest): AnswerTask<Generation> {
  const {
    prompt = null,
    template = null,
    context = null,
    tone = null,
    words_max: wordsMax = null,
    variables,
  } = body;
  if ((prompt === null) === (template === null)) {
    throw new Unprocessable('Give either prompt or template.');
  }
  if (template !== null) {
    if (context !== null || tone !== null || wordsMax !== null) {
      throw new Unprocessable('context, tone and words_max go with prompt only.');
    }
    const text = filledTemplate(template, variables);
    return {
      question: null,
      embedded: {
        method: 'template',
        answer: () => Promise.resolve({ kind: 'filled_template', title: null, text }),
      },
      reads: [template, ...variables.map(({ value }) => value)],
    };
  }
  if (variables.length > 0) {
    throw new Unprocessable('variables go with template only.');
  }
  return {
    question: {
      template: PROMPT,
      variables: {
        request: prompt ?? '',
        material: context ?? '',
        tone: tone ?? 'as the request wants it',
        length: wordsMax === null ? 'as the request wants it' : `at most about ${wordsMax} words`,
      },
      name: 'written_text',
      schema: GENERATION_SCHEMA,
      read: ({ title, text }: { title: string | null; text: string }) => ({ kind: 'written', title, text }),
    },
    embedded: null,
    reads: [prompt ?? '', context ?? ''],
  };
}

interface Optimization {
  text: string;
  changes: TextChangeMade[];
}

interface ToldChanges {
  readonly changes: readonly { readonly before: string; readonly after: string; readonly reason: string }[];
}

const MENDED: Readonly<Record<OptimizationGoal, readonly StyleIssueType[]>> = {
  concision: ['wordy_phrase'],
  repetition: ['repeated_word', 'duplicate_sentence'],
  spacing: ['spacing'],
  clarity: [],
};

const OPTIMIZATION_TEMPLATE = new PromptTemplate(
  'Improve this text without changing what it says:\n{{text}}\nGoals: {{goals}}. Give the changes to make: before is a part of the ' +
    'text, word for word and long enough to stand there only once; after is what shall stand there instead; reason is one sentence. ' +
    'Changes must not overlap. Give none where the text is good.',
);

const OPTIMIZATION_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['changes'],
  properties: {
    changes: {
      type: 'array',
      maxItems: 200,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['before', 'after', 'reason'],
        properties: {
          before: { type: 'string', minLength: 1 },
          after: { type: 'string' },
          reason: { type: 'string', minLength: 1, maxLength: 1000 },
        },
      },
    },
  },
};

/** A better text and the changes that lead to it. A model names changes, and the service makes them. */
function optimizationTask(
  text: string,
  goals: readonly OptimizationGoal[],
  threads: TextThreads,
): AnswerTask<Optimization> {
  const types = goals.flatMap((goal) => MENDED[goal]);
  return {
    question: {
      template: OPTIMIZATION_TEMPLATE,
      variables: { text, goals: goals.join(', ') },
      name: 'text_changes',
      schema: OPTIMIZATION_SCHEMA,
      check: (told: ToldChanges) => changeFaults(told, text),
      read: (told: ToldChanges) => madeChanges(told, text),
    },
    // What makes a sentence clear no rule knows.
    embedded: goals.includes('clarity')
      ? null
      : {
          method: 'style-rules',
          answer: (signal) => threads.run(textJobs.tightenText, { text, types }, [text], signal),
        },
    reads: [text],
  };
}

function changeFaults({ changes }: ToldChanges, text: string): string[] {
  const missing = quoteFaults(
    changes.map(({ before }) => before),
    text,
  );
  if (missing.length > 0) {
    return missing;
  }
  const placed = placedChanges({ changes }, text);
  return placed
    .filter(({ start }, index) => start < (placed[index - 1]?.end ?? 0))
    .map(({ before }) => `This change overlaps another one: ${before.slice(0, 120)}`);
}

function madeChanges(told: ToldChanges, text: string): Optimization {
  const changes = placedChanges(told, text).filter(({ before, after }) => before !== after);
  return { text: changedText(text, changes), changes };
}

/** The changes in the text's order, with what really stands there as `before`. */
function placedChanges({ changes }: ToldChanges, text: string): TextChangeMade[] {
  const places = quotePlaces(
    changes.map(({ before }) => before),
    text,
  );
  return changes
    .flatMap(({ after, reason }, index) => {
      const place = places[index];
      return place ? [{ start: place.start, end: place.end, before: place.text, after, reason }] : [];
    })
    .sort((one, other) => one.start - other.start);
}

type AnsweredCall = CallContext & { readonly meter: Meter };

/** So many findings stand in an analysis; `process` returns all of them. */
const SHOWN_MAX = 1_000;

/** Processes, analyzes, writes and improves texts. */
@Injectable()
class AdvancedService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    const { answered, sources, threads } = this;
    answered.register<ProcessAdvancedRequest>('processAdvanced', async ({ account, body }) => {
      const { processing_type: type, parameters = {} } = body;
      checkParameters(type, parameters);
      const { text } = await sources.of(account.id, body);
      return processingTask(text, type, parameters, threads);
    });
    answered.register<AnalyzeAdvancedRequest>('analyzeAdvanced', async ({ account, body }) =>
      analysisTask((await sources.of(account.id, body)).text, body, threads),
    );
    answered.register<GenerateAdvancedRequest>('generateAdvanced', ({ body }) => generationTask(body));
    answered.register<OptimizeAdvancedRequest>('optimizeAdvanced', async ({ account, body }) =>
      optimizationTask((await sources.of(account.id, body)).text, body.goals, threads),
    );
  }

  /** Throws what AnsweredOperations.answer throws. */
  process(call: AnsweredCall): Promise<ProcessedContent> {
    return this.answered.answer<Processed>(call);
  }

  /** Throws what AnsweredOperations.answer and TextThreads.run throw. */
  async analyze(call: AnalyzeAdvancedCall): Promise<ContentAnalysis> {
    const { account, body, signal } = call;
    const told = await this.answered.answer<ToldAnalysis>(call);
    const { text } = await this.sources.of(account.id, body);
    const [statistics, entities, headings] = await Promise.all([
      this.threads.run(textJobs.analyzeStatistics, text, [text], signal),
      this.threads.run(textJobs.findEntities, text, [text], signal),
      this.threads.run(textJobs.outlineText, text, [text], signal),
    ]);
    return {
      ...told,
      language: detectLanguage(text),
      statistics: textCounts(statistics),
      readability: textReadability(statistics),
      entities: entities.slice(0, SHOWN_MAX),
      entities_total: entities.length,
      headings: headings.slice(0, SHOWN_MAX),
    };
  }

  /** Throws what AnsweredOperations.answer throws. */
  generate(call: AnsweredCall): Promise<GeneratedContent> {
    return this.answered.answer<Generation>(call);
  }

  /** Throws what AnsweredOperations.answer and TextThreads.run throw. */
  async optimize(call: OptimizeAdvancedCall): Promise<OptimizedContent> {
    const { account, body, signal } = call;
    const optimized = await this.answered.answer<Optimization>(call);
    const { text } = await this.sources.of(account.id, body);
    const [before, after] = await Promise.all(
      [text, optimized.text].map(async (each) => {
        const statistics = await this.threads.run(textJobs.analyzeStatistics, each, [each], signal);
        return { statistics: textCounts(statistics), readability: textReadability(statistics) };
      }),
    );
    if (!before || !after) {
      throw new Error('two texts have two measures');
    }
    return { ...optimized, metrics: { before, after } };
  }
}

@Serves(advancedApi)
class AdvancedController implements AdvancedApi {
  constructor(private readonly advanced: AdvancedService) {}

  processAdvanced(call: ProcessAdvancedCall): Promise<ProcessedContent> {
    return this.advanced.process(call);
  }

  analyzeAdvanced(call: AnalyzeAdvancedCall): Promise<ContentAnalysis> {
    return this.advanced.analyze(call);
  }

  generateAdvanced(call: GenerateAdvancedCall): Promise<GeneratedContent> {
    return this.advanced.generate(call);
  }

  optimizeAdvanced(call: OptimizeAdvancedCall): Promise<OptimizedContent> {
    return this.advanced.optimize(call);
  }
}

@Module({
  controllers: [AdvancedController],
  providers: [AdvancedService],
})
export class AdvancedModule {}
