import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import {
  type BrainstormCreativeCall,
  creativeApi,
  type CreativeApi,
  type EnhanceCreativeCall,
  type GenerateCreativeCall,
} from '../../../generated/contract';
import type {
  Brainstorm,
  BrainstormCreativeRequest,
  CreativeText,
  EnhanceCreativeRequest,
  Enhancement,
  GenerateCreativeRequest,
} from '../../../generated/types';
import { AnsweredOperations } from '../../contract/model-operations';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import { Unprocessable } from '../../errors/api-errors';
import type { AnswerTask } from '../../models/generation/model-task';
import { PromptTemplate } from '../../models/generation/prompt-template';
import { SourceTexts } from '../../retrieval/source-texts';
import {
  placedSuggestions,
  MODEL_SUGGESTIONS,
  type ModelSuggestion,
  modelSuggestionFaults,
} from '../../text/model-suggestions';
import { titleOfPrompt } from '../../text/prompt-title';
import { chooseSuggestions, type ChosenSuggestions } from '../../text/suggestions';
import { TextThreads } from '../../text/text-threads';
import type { CreativeForm, CreativeLength, CreativeWish, ScaffoldPart } from './creative-scaffold';
import { type IdeaPrompt, SCAMPER_TECHNIQUES } from './scamper-prompts';
import { creativeJobs } from './creative.jobs';

interface Ideas {
  kind: 'ideas' | 'prompts';
  ideas: IdeaPrompt[];
}

interface ToldIdeas {
  readonly ideas: readonly IdeaPrompt[];
}

const IDEAS_TEMPLATE = new PromptTemplate(
  'Find {{count}} ideas on this topic, in its language:\n{{topic}}\n' +
    'Give each a title of a few words, as angle one or two sentences that say what is done and for whom, and as technique the ' +
    'technique of SCAMPER that leads there. Use different techniques, and make no idea a variant of another.',
);

const IDEAS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['ideas'],
  properties: {
    ideas: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['title', 'angle', 'technique'],
        properties: {
          title: { type: 'string', pattern: '\\S' },
          angle: { type: 'string', pattern: '\\S' },
          technique: { type: 'string', enum: SCAMPER_TECHNIQUES },
        },
      },
    },
  },
};

/** @param count how many ideas are wanted */
function brainstormTask(topic: string, count: number, threads: TextThreads): AnswerTask<Ideas> {
  return {
    question: {
      template: IDEAS_TEMPLATE,
      variables: { topic, count: String(count) },
      name: 'ideas',
      schema: IDEAS_SCHEMA,
      check: ({ ideas }: ToldIdeas) => faultsOf(ideas, count),
      read: ({ ideas }: ToldIdeas): Ideas => ({ kind: 'ideas', ideas: ideas.slice(0, count) }),
    },
    embedded: {
      method: 'scamper',
      answer: async (signal) => ({
        kind: 'prompts',
        ideas: await threads.run(creativeJobs.promptIdeas, { topic, count }, [topic], signal),
      }),
    },
    reads: [topic],
  };
}

function faultsOf(ideas: readonly IdeaPrompt[], count: number): string[] {
  const few = ideas.length < count ? [`There are ${ideas.length} ideas; ${count} are wanted.`] : [];
  const seen = new Set<string>();
  const repeated = ideas.slice(0, count).filter(({ title }) => {
    const plain = title.trim().toLowerCase();
    return seen.has(plain) || !seen.add(plain);
  });
  return [...few, ...repeated.map(({ title }) => `Two ideas have this title: ${title.slice(0, 120)}`)];
}

type Suggestions = ChosenSuggestions;

interface ToldSuggestions {
  readonly suggestions: readonly ModelSuggestion[];
}

const ASKED =
  'This is the draft of a creative text:\n{{text}}\n' +
  'Suggest at most {{count}} places where it could be better: images, rhythm, tension, voice, worn phrases. As quote give ' +
  'the words of the place exactly as they stand in the draft, enough of them that they stand there only once. As replacement ' +
  'give what could stand there, in the language and the voice of the draft, or null where only its author can decide. As ' +
  'reason say why in one sentence. Keep what is good, and do not suggest two changes of the same words.';
const SUGGESTIONS_TEMPLATE = new PromptTemplate(ASKED);
const SUGGESTIONS_TEMPLATE_WITH_GOAL = new PromptTemplate(`${ASKED} What the author wants is:\n{{goal}}`);

const SUGGESTIONS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['suggestions'],
  properties: { suggestions: MODEL_SUGGESTIONS },
};

/** @param goal what the draft should become; null where the author has not said */
function enhancementTask(
  text: string,
  goal: string | null,
  countMax: number,
  threads: TextThreads,
): AnswerTask<Suggestions> {
  const asked = { text, count: String(countMax) };
  return {
    question: {
      template: goal === null ? SUGGESTIONS_TEMPLATE : SUGGESTIONS_TEMPLATE_WITH_GOAL,
      variables: goal === null ? asked : { ...asked, goal },
      name: 'draft_suggestions',
      schema: SUGGESTIONS_SCHEMA,
      check: ({ suggestions }: ToldSuggestions) => modelSuggestionFaults(suggestions, text),
      read: ({ suggestions }: ToldSuggestions) =>
        chooseSuggestions(placedSuggestions(suggestions, text), countMax),
    },
    embedded: {
      method: 'style-rules',
      answer: (signal) => threads.run(creativeJobs.suggestStyle, { text, countMax }, [text], signal),
    },
    reads: [text],
  };
}

interface WrittenText {
  form: CreativeForm;
  kind: 'text' | 'scaffold';
  title: string;
  text: string;
  parts: { title: string; lines: string[] }[];
}

interface ToldText {
  readonly title: string;
  readonly text: string;
}

const TEXT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'text'],
  properties: {
    title: { type: 'string', pattern: '[\\p{L}\\p{N}]', maxLength: 300 },
    text: { type: 'string', pattern: '[\\p{L}\\p{N}]' },
  },
};

const LENGTHS: Record<CreativeLength, string> = { short: 'short', medium: 'of medium length', long: 'long' };
/** How many lines a form has; a form that is not here may have any number. */
const LINES: Partial<Record<CreativeForm, number>> = { haiku: 3, limerick: 5, sonnet: 14 };

function creativeTask(wish: CreativeWish, threads: TextThreads): AnswerTask<WrittenText> {
  const { form, prompt, tone, audience, names } = wish;
  const said = [prompt, tone ?? '', audience ?? '', ...names];
  return {
    question: {
      ...questionOf(wish),
      name: 'creative_text',
      schema: TEXT_SCHEMA,
      check: ({ text }: ToldText) => lineFaults(form, text),
      read: ({ title, text }: ToldText): WrittenText => ({ form, kind: 'text', title, text, parts: [] }),
    },
    embedded: {
      method: 'scaffold',
      answer: async (signal) => {
        const { text, parts } = await threads.run(creativeJobs.scaffoldText, wish, said, signal);
        return { form, kind: 'scaffold', title: titleOfPrompt(prompt), text, parts: parts.map(copied) };
      },
    },
    reads: said,
  };
}

function questionOf({ form, prompt, tone, audience, names, length }: CreativeWish) {
  const lines = LINES[form] === undefined ? '' : ` It has exactly ${LINES[form]} lines of text.`;
  const parts: [line: string, texts: Record<string, string>][] = [
    [`Write a ${form}, ${LENGTHS[length]} for its form.${lines} It is about this:\n{{prompt}}`, { prompt }],
    ...optional('Its tone is:\n{{tone}}', 'tone', tone),
    ...optional('It is for:\n{{audience}}', 'audience', audience),
    ...optional('These have to appear in it:\n{{names}}', 'names', names.join('\n') || null),
    [
      'Write in the language of the prompt. Give the title without quotation marks, and the text without it.',
      {},
    ],
  ];
  return {
    template: new PromptTemplate(parts.map(([line]) => line).join('\n')),
    variables: Object.assign({}, ...parts.map(([, texts]) => texts)) as Record<string, string>,
  };
}

function optional(line: string, name: string, text: string | null): [string, Record<string, string>][] {
  return text === null ? [] : [[line, { [name]: text }]];
}

function lineFaults(form: CreativeForm, text: string): string[] {
  const wanted = LINES[form];
  const count = text.split('\n').filter((line) => line.trim() !== '').length;
  return wanted === undefined || wanted === count
    ? []
    : [`A ${form} has ${wanted} lines; this text has ${count}.`];
}

function copied({ title, lines }: ScaffoldPart): { title: string; lines: string[] } {
  return { title, lines: [...lines] };
}

type AnsweredCall = CallContext & { readonly meter: Meter };

/** Writes creative texts, or prepares them, and helps those who write. */
@Injectable()
class CreativeService implements OnModuleInit {
  constructor(
    private readonly answered: AnsweredOperations,
    private readonly sources: SourceTexts,
    private readonly threads: TextThreads,
  ) {}

  onModuleInit(): void {
    this.answered.register<GenerateCreativeRequest>('generateCreative', ({ body }) => {
      const { form, prompt, tone = null, audience = null, names = [], length = 'medium' } = body;
      refuseSilence('prompt', prompt);
      return creativeTask({ form, prompt, tone, audience, names, length }, this.threads);
    });
    this.answered.register<EnhanceCreativeRequest>('enhanceCreative', async ({ account, body }) => {
      const { text } = await this.sources.of(account.id, body);
      return enhancementTask(text, body.goal ?? null, body.suggestions_max, this.threads);
    });
    this.answered.register<BrainstormCreativeRequest>('brainstormCreative', ({ body }) => {
      refuseSilence('topic', body.topic);
      return brainstormTask(body.topic, body.count, this.threads);
    });
  }

  /** Throws what AnsweredOperations.answer throws, and so do the others. */
  generate(call: AnsweredCall): Promise<CreativeText> {
    return this.answered.answer<WrittenText>(call);
  }

  enhance(call: AnsweredCall): Promise<Enhancement> {
    return this.answered.answer<Suggestions>(call);
  }

  brainstorm(call: AnsweredCall): Promise<Brainstorm> {
    return this.answered.answer<Ideas>(call);
  }
}

function refuseSilence(field: string, text: string): void {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unprocessable(`${field} has no letter and no digit: it says nothing.`);
  }
}

@Serves(creativeApi)
class CreativeController implements CreativeApi {
  constructor(private readonly creative: CreativeService) {}

  generateCreative(call: GenerateCreativeCall): Promise<CreativeText> {
    return this.creative.generate(call);
  }

  enhanceCreative(call: EnhanceCreativeCall): Promise<Enhancement> {
    return this.creative.enhance(call);
  }

  brainstormCreative(call: BrainstormCreativeCall): Promise<Brainstorm> {
    return this.creative.brainstorm(call);
  }
}

@Module({
  controllers: [CreativeController],
  providers: [CreativeService],
})
export class CreativeModule {}
