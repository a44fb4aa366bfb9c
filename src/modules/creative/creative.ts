import { creativeApi } from '../../../generated/contract';
import type { CreativeText, GenerateCreativeRequest } from '../../../generated/types';
import { answered, answeredModule } from '../../contract/answered-module';
import { Unprocessable } from '../../errors/api-errors';
import type { AnswerTask } from '../../models/generation/model-task';
import { listOf, modelQuestion, objectOf, oneOf, stringOf } from '../../models/generation/output-schema';
import { promptOf, PromptTemplate } from '../../models/generation/prompt-template';
import { type ChosenSuggestions, suggestionsQuestion } from '../../models/generation/quoted-output';
import { wordList } from '../../text/word-list';

/** The techniques of SCAMPER, in its order. */
const SCAMPER_TECHNIQUES = wordList('substitute combine adapt modify put_to_another_use eliminate reverse');

interface Idea {
  readonly title: string;
  readonly angle: string;
  readonly technique: (typeof SCAMPER_TECHNIQUES)[number];
}

interface Ideas {
  kind: 'ideas';
  ideas: Idea[];
}

const IDEAS_TEMPLATE = new PromptTemplate(
  'Find {{count}} ideas on this topic, in its language:\n{{topic}}\n' +
    'Give each a title of a few words, as angle one or two sentences that say what is done and for whom, and as technique the ' +
    'technique of SCAMPER that leads there. Use different techniques, and make no idea a variant of another.',
);

const NOT_BLANK = stringOf({ pattern: '\\S' });
const IDEAS_SCHEMA = objectOf({
  ideas: listOf(objectOf({ title: NOT_BLANK, angle: NOT_BLANK, technique: oneOf(SCAMPER_TECHNIQUES) })),
});

/** @param count how many ideas are wanted */
function brainstormTask(topic: string, count: number): AnswerTask<Ideas> {
  return {
    question: modelQuestion({
      template: IDEAS_TEMPLATE,
      variables: { topic, count: String(count) },
      name: 'ideas',
      schema: IDEAS_SCHEMA,
      check: ({ ideas }) => ideaFaults(ideas, count),
      read: ({ ideas }): Ideas => ({ kind: 'ideas', ideas: ideas.slice(0, count) }),
    }),
    embedded: null,
    reads: [topic],
  };
}

function ideaFaults(ideas: readonly Idea[], count: number): string[] {
  const few = ideas.length < count ? [`There are ${ideas.length} ideas; ${count} are wanted.`] : [];
  const seen = new Set<string>();
  const repeated = ideas.slice(0, count).filter(({ title }) => {
    const plain = title.trim().toLowerCase();
    return seen.has(plain) || !seen.add(plain);
  });
  return [...few, ...repeated.map(({ title }) => `Two ideas have this title: ${title.slice(0, 120)}`)];
}

const SUGGESTIONS_PROMPT =
  'This is the draft of a creative text:\n{{text}}\n' +
  'Suggest at most {{count}} places where it could be better: images, rhythm, tension, voice, worn phrases. As quote give ' +
  'the words of the place exactly as they stand in the draft, enough of them that they stand there only once. As replacement ' +
  'give what could stand there, in the language and the voice of the draft, or null where only its author can decide. As ' +
  'reason say why in one sentence. Keep what is good, and do not suggest two changes of the same words.';

/** @param goal what the draft should become; null where the author has not said */
function enhancementTask(text: string, goal: string | null, countMax: number): AnswerTask<ChosenSuggestions> {
  const parts = [SUGGESTIONS_PROMPT, ' What the author wants is:\n{{goal}}'];
  return {
    question: suggestionsQuestion(text, countMax, {
      ...promptOf(parts, { text, count: String(countMax), goal }),
      name: 'draft_suggestions',
    }),
    embedded: null,
    reads: [text],
  };
}

type CreativeForm = GenerateCreativeRequest['form'];
type CreativeLength = NonNullable<GenerateCreativeRequest['length']>;
type WrittenText = Omit<CreativeText, 'model' | 'usage'>;

const LETTERS = '[\\p{L}\\p{N}]';
const TEXT_SCHEMA = objectOf({
  title: stringOf({ pattern: LETTERS, maxLength: 300 }),
  text: stringOf({ pattern: LETTERS }),
});

const LENGTHS: Record<CreativeLength, string> = { short: 'short', medium: 'of medium length', long: 'long' };
/** How many lines a form has; a form that is not here may have any number. */
const LINES: Partial<Record<CreativeForm, number>> = { haiku: 3, limerick: 5, sonnet: 14 };

/** A text that is wanted. */
interface CreativeWish {
  readonly form: CreativeForm;
  readonly prompt: string;
  readonly tone: string | null;
  readonly audience: string | null;
  readonly names: readonly string[];
  readonly length: CreativeLength;
}

function creativeTask(wish: CreativeWish): AnswerTask<WrittenText> {
  const { form, prompt, tone, audience, names } = wish;
  const said = [prompt, tone ?? '', audience ?? '', ...names];
  return {
    question: modelQuestion({
      ...creativePrompt(wish),
      name: 'creative_text',
      schema: TEXT_SCHEMA,
      check: ({ text }) => lineFaults(form, text),
      read: ({ title, text }): WrittenText => ({ form, kind: 'text', title, text, parts: [] }),
    }),
    embedded: null,
    reads: said,
  };
}

function creativePrompt({ form, prompt, tone, audience, names, length }: CreativeWish) {
  const lines = LINES[form] === undefined ? '' : ` It has exactly ${LINES[form]} lines of text.`;
  const parts = [
    `Write a ${form}, ${LENGTHS[length]} for its form.${lines} It is about this:\n{{prompt}}`,
    '\nIts tone is:\n{{tone}}',
    '\nIt is for:\n{{audience}}',
    '\nThese have to appear in it:\n{{names}}',
    '\nWrite in the language of the prompt. Give the title without quotation marks, and the text without it.',
  ];
  return promptOf(parts, { prompt, tone, audience, names: names.join('\n') || null });
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
    const { form, prompt, tone = null, audience = null, names = [], length = 'medium' } = body;
    refuseSilence('prompt', prompt);
    return creativeTask({ form, prompt, tone, audience, names, length });
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
