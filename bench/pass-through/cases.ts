import { CHUNKS, MODELS, SLOW_MS } from './chat-answers';

/** One kind of load: what is asked, and by how many connections at once. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly connections: number;
  /** Whose calls they are: of one account, or of a thousand in turn. */
  readonly accounts: 'one' | 'all';
  /** Fields of each request's body beside the usual ones. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const SENTENCE = 'The lamp was lit by oil, later by gas, and at last by a cable from the mainland. ';
const PROMPT_BYTES = 100_000;
const longPrompt = SENTENCE.repeat(Math.ceil(PROMPT_BYTES / SENTENCE.length));

const STREAMED = { stream: true };

/** In the order in which a round takes them. */
export const CASES: readonly Case[] = [
  { name: 'one', title: 'Unstreamed answers, 1 connection', connections: 1, accounts: 'one', fields: {} },
  {
    name: 'one-new',
    title: 'Unstreamed answers, 1 connection, each call of another account than the 999 before',
    connections: 1,
    accounts: 'all',
    fields: {},
  },
  { name: 'many', title: 'Unstreamed answers, 64 connections', connections: 64, accounts: 'all', fields: {} },
  {
    name: 'one-stream',
    title: `Streamed answers of ${CHUNKS} chunks, 1 connection`,
    connections: 1,
    accounts: 'one',
    fields: STREAMED,
  },
  {
    name: 'many-streams',
    title: `Streamed answers of ${CHUNKS} chunks, 64 connections`,
    connections: 64,
    accounts: 'all',
    fields: STREAMED,
  },
  {
    name: 'waves',
    title: `An upstream of ${SLOW_MS} ms, 64 connections whose calls end together`,
    connections: 64,
    accounts: 'all',
    fields: { model: MODELS.slow },
  },
  {
    name: 'long-prompts',
    title: 'Prompts of 100 KB, 16 connections',
    connections: 16,
    accounts: 'all',
    fields: { messages: [{ role: 'user', content: longPrompt }] },
  },
  {
    name: 'long-answers',
    title: 'Answers of 100 KB, 16 connections',
    connections: 16,
    accounts: 'all',
    fields: { model: MODELS.long },
  },
];
