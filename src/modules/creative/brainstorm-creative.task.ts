import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import type { IdeaPrompt } from '../../core/text/creative/scamper-prompts';
import { SCAMPER_TECHNIQUES } from '../../core/text/creative/scamper-questions';
import type { TextThreads } from '../../core/text/threads/text-threads';

export interface Ideas {
  kind: 'ideas' | 'prompts';
  ideas: IdeaPrompt[];
}

interface Told {
  readonly ideas: readonly IdeaPrompt[];
}

const TEMPLATE = new PromptTemplate(
  'Find {{count}} ideas on this topic, in its language:\n{{topic}}\n' +
    'Give each a title of a few words, as angle one or two sentences that say what is done and for whom, and as technique the ' +
    'technique of SCAMPER that leads there. Use different techniques, and make no idea a variant of another.',
);

const SCHEMA = {
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
export function brainstormTask(topic: string, count: number, threads: TextThreads): AnswerTask<Ideas> {
  return {
    question: {
      template: TEMPLATE,
      variables: { topic, count: String(count) },
      name: 'ideas',
      schema: SCHEMA,
      check: ({ ideas }: Told) => faultsOf(ideas, count),
      read: ({ ideas }: Told): Ideas => ({ kind: 'ideas', ideas: ideas.slice(0, count) }),
    },
    embedded: {
      method: 'scamper',
      answer: async (signal) => ({
        kind: 'prompts',
        ideas: await threads.run('promptIdeas', { topic, count }, [topic], signal),
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
