import { titleOfPrompt } from '../../core/text/title-of-prompt';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import type {
  CreativeForm,
  CreativeLength,
  CreativeWish,
  ScaffoldPart,
} from '../../core/text/creative/creative-wish';
import type { TextThreads } from '../../core/text/threads/text-threads';

export interface WrittenText {
  form: CreativeForm;
  kind: 'text' | 'scaffold';
  title: string;
  text: string;
  parts: { title: string; lines: string[] }[];
}

interface Told {
  readonly title: string;
  readonly text: string;
}

const SCHEMA = {
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

export function creativeTask(wish: CreativeWish, threads: TextThreads): AnswerTask<WrittenText> {
  const { form, prompt, tone, audience, names } = wish;
  const said = [prompt, tone ?? '', audience ?? '', ...names];
  return {
    question: {
      ...questionOf(wish),
      name: 'creative_text',
      schema: SCHEMA,
      check: ({ text }: Told) => lineFaults(form, text),
      read: ({ title, text }: Told): WrittenText => ({ form, kind: 'text', title, text, parts: [] }),
    },
    embedded: {
      method: 'scaffold',
      answer: async (signal) => {
        const { text, parts } = await threads.run('scaffoldText', wish, said, signal);
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
