import { CHUNKS, MODELS, SLOW_MS } from './chat-answers';

/** One kind of load: what is asked, and by how many connections at once. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly connections: number;
  /** Fields of each request's body beside the usual ones. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const SENTENCE = 'The lamp was lit by oil, later by gas, and at last by a cable from the mainland. ';
const PROMPT_BYTES = 100_000;
const longPrompt = SENTENCE.repeat(Math.ceil(PROMPT_BYTES / SENTENCE.length));

const STREAMED = { stream: true };

/** In the order in which a round takes them. */
export const CASES: readonly Case[] = [
  { name: 'one', title: 'Unstreamed answers, 1 connection', connections: 1, fields: {} },
  { name: 'many', title: 'Unstreamed answers, 64 connections', connections: 64, fields: {} },
  {
    name: 'one-stream',
    title: `Streamed answers of ${CHUNKS} chunks, 1 connection`,
    connections: 1,
    fields: STREAMED,
  },
  {
    name: 'many-streams',
    title: `Streamed answers of ${CHUNKS} chunks, 64 connections`,
    connections: 64,
    fields: STREAMED,
  },
  {
    name: 'waves',
    title: `An upstream of ${SLOW_MS} ms, 64 connections whose calls end together`,
    connections: 64,
    fields: { model: MODELS.slow },
  },
  {
    name: 'long-prompts',
    title: 'Prompts of 100 KB, 16 connections',
    connections: 16,
    fields: { messages: [{ role: 'user', content: longPrompt }] },
  },
  {
    name: 'long-answers',
    title: 'Answers of 100 KB, 16 connections',
    connections: 16,
    fields: { model: MODELS.long },
  },
];
