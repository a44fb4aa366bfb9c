import { creativeApi } from '../../../generated/contract';
import type { CreativeIdea, CreativeText, GenerateCreativeRequest } from '../../../generated/types';
import { answered, answeredModule, type AnswerNotes } from '../../contract/answered-module';
import { Unprocessable } from '../../errors/api-errors';
import { type AnswerTask, modelTask } from '../../models/generation/typed-answers';
import { schema } from '../../models/generation/output-schema';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { type ChosenSuggestions, suggestionsQuestion } from '../../models/generation/quoted-output';
import { wordList } from '../../text/word-list';

const SCAMPER_TECHNIQUES = wordList('substitute combine adapt modify put_to_another_use eliminate reverse');

interface Ideas {
  kind: 'ideas';
  ideas: CreativeIdea[];
}

const IDEAS_PROMPT = new PromptFile('ideas');
const NOT_BLANK = schema.string({ pattern: '\\S' });
const IDEAS_SCHEMA = schema.object({
  ideas: schema.list(
    schema.object({ title: NOT_BLANK, angle: NOT_BLANK, technique: schema.oneOf(SCAMPER_TECHNIQUES) }),
  ),
});

function brainstormTask(topic: string, count: number): AnswerTask<Ideas> {
  return modelTask([topic], {
    prompt: IDEAS_PROMPT.fill({
      choices: { count, language: languageOf(topic, 'the language of the topic') },
      material: { topic },
    }),
    name: 'ideas',
    schema: IDEAS_SCHEMA,
    check: ({ ideas }, isCut) => ideaFaults(ideas, isCut ? 1 : count),
    read: ({ ideas }): Ideas => ({ kind: 'ideas', ideas: ideas.slice(0, count) }),
  });
}

function ideaFaults(ideas: readonly CreativeIdea[], count: number): string[] {
  const few = ideas.length < count ? [`There are ${ideas.length} ideas; ${count} are wanted.`] : [];
  const seen = new Set<string>();
  const repeated = ideas.slice(0, count).filter(({ title }) => {
    const plain = title.trim().toLowerCase();
    return seen.has(plain) || !seen.add(plain);
  });
  return [...few, ...repeated.map(({ title }) => `Two ideas have this title: ${title.slice(0, 120)}`)];
}

const SUGGESTIONS_PROMPT = new PromptFile('draft-suggestions');

function enhancementTask(text: string, goal: string | null, countMax: number): AnswerTask<ChosenSuggestions> {
  return {
    question: suggestionsQuestion(text, countMax, {
      prompt: SUGGESTIONS_PROMPT.fill({
        choices: { count: countMax, language: languageOf(text) },
        material: { goal, text },
      }),
      name: 'draft_suggestions',
    }),
    embedded: null,
    reads: [text],
  };
}

type CreativeForm = GenerateCreativeRequest['form'];
type CreativeLength = NonNullable<GenerateCreativeRequest['length']>;
type WrittenText = Omit<CreativeText, AnswerNotes>;

const LETTERS = '[\\p{L}\\p{N}]';
const TEXT_SCHEMA = schema.object({
  title: schema.string({ pattern: LETTERS, maxLength: 300 }),
  text: schema.string({ pattern: LETTERS }),
});

const LENGTHS: Record<CreativeLength, string> = { short: 'short', medium: 'of medium length', long: 'long' };
const LINES: Partial<Record<CreativeForm, number>> = { haiku: 3, limerick: 5, sonnet: 14 };

const TEXT_PROMPT = new PromptFile('creative-text');

function creativeTask(body: GenerateCreativeRequest): AnswerTask<WrittenText> {
  const { form, prompt, tone = null, audience = null, names = [], length = 'medium' } = body;
  const lines = LINES[form];
  return modelTask([prompt, tone ?? '', audience ?? '', ...names], {
    prompt: TEXT_PROMPT.fill({
      choices: {
        form: form.replace('_', ' '),
        length: LENGTHS[length],
        lines: lines === undefined ? 'It has as many lines as it needs.' : `It has exactly ${lines} lines.`,
        language: languageOf(prompt, 'the language of the prompt'),
      },
      material: { prompt, tone, audience, names: names.join('\n') || null },
    }),
    name: 'creative_text',
    schema: TEXT_SCHEMA,
    check: ({ text }, isCut) => (isCut ? [] : lineFaults(form, text)),
    read: ({ title, text }): WrittenText => ({ form, kind: 'text', title, text, parts: [] }),
  });
}

function lineFaults(form: CreativeForm, text: string): string[] {
  const wanted = LINES[form];
  const count = text.split('\n').filter((line) => line.trim() !== '').length;
  return wanted === undefined || wanted === count
    ? []
    : [`A ${form} has ${wanted} lines; this text has ${count}.`];
}

function refuseSilence(field: string, text: string): void {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unprocessable(`${field} has no letter and no digit: it says nothing.`);
  }
}

export const CreativeModule = answeredModule(creativeApi, {
  generateCreative: answered(({ body }) => {
    refuseSilence('prompt', body.prompt);
    return creativeTask(body);
  }),
  enhanceCreative: answered(async (call, { textOf }) => {
    const { goal = null, suggestions_max: countMax } = call.body;
    return enhancementTask(await textOf(call), goal, countMax);
  }),
  brainstormCreative: answered(({ body: { topic, count } }) => {
    refuseSilence('topic', topic);
    return brainstormTask(topic, count);
  }),
});
