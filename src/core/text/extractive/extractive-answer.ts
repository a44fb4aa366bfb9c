import { bm25Scores } from '../bm25-scores';
import { centralSentences } from '../central-sentences';
import { contentStems } from '../content-stems';
import { questionJudge } from './question-judge';
import {
  CANNOT_ANSWER,
  CANNOT_COMPOSE,
  readConversation,
  type Conversation,
  type ConversationMessage,
} from './read-conversation';

/** An answer in words of the conversation, and the algorithm that chose them. */
export interface ExtractiveAnswer {
  readonly text: string;
  readonly method: 'bm25' | 'textrank' | 'refusal';
}

const ANSWER_SENTENCES_MAX = 3;
/** A sentence joins the answer when it scores at least this share of the best one. */
const SCORE_SHARE_MIN = 0.75;
/** The best sentence has to contain this share of the question's terms, or this many of them. */
const COVERAGE_MIN = 0.4;
const COVERED_TERMS_MIN = 3;
const SUMMARY_SENTENCES_DEFAULT = 3;
const SUMMARY_SENTENCES_MAX = 20;
const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * Answers the last user message with sentences quoted from the conversation: the most central ones when it asks for a
 * summary, else the ones that match the question. Says that it cannot when nothing matches or new text is asked for.
 */
export function extractiveAnswer(messages: readonly ConversationMessage[]): ExtractiveAnswer {
  const conversation = readConversation(messages);
  if (conversation.kind === 'composition') {
    return { text: CANNOT_COMPOSE, method: 'refusal' };
  }
  const quoted = conversation.kind === 'summary' ? summarise(conversation) : findAnswer(conversation);
  if (quoted.length === 0) {
    return { text: CANNOT_ANSWER, method: 'refusal' };
  }
  return { text: quoted.join(' '), method: conversation.kind === 'summary' ? 'textrank' : 'bm25' };
}

function summarise({ request, ownMaterial, earlierMaterial }: Conversation): string[] {
  const material = ownMaterial.length > 0 ? ownMaterial : earlierMaterial;
  const stems = material.map(contentStems);
  const count =
    requestedSentences(request) ?? Math.min(SUMMARY_SENTENCES_DEFAULT, Math.ceil(material.length / 2));
  return centralSentences(stems, count).map((index) => material[index] ?? '');
}

/** The number in "in two sentences" or "a 3-sentence summary", at most 20; undefined where the request names none. */
function requestedSentences(request: string): number | undefined {
  const named = /\b(\d{1,2}|[a-z]+)[ -](?:short )?sentences?\b/i.exec(request)?.[1]?.toLowerCase();
  if (named === undefined) {
    return undefined;
  }
  const count = NUMBER_WORDS.includes(named) ? NUMBER_WORDS.indexOf(named) : Number(named);
  return count >= 1 ? Math.min(count, SUMMARY_SENTENCES_MAX) : undefined;
}

function findAnswer({ request, ownMaterial, earlierMaterial }: Conversation): string[] {
  const material = [...new Set([...earlierMaterial, ...ownMaterial])];
  const stems = material.map(contentStems);
  const query = contentStems(request);
  const scores = bm25Scores(stems, query);
  const canAnswer = questionJudge(request);
  const ranked = [...scores.keys()]
    .filter((index) => score(scores, index) > 0)
    .filter((index) => canAnswer(material[index] ?? '', besides(material, index)))
    .sort((one, other) => score(scores, other) - score(scores, one) || one - other);
  const best = ranked[0];
  if (best === undefined || !covers(stems[best] ?? [], query)) {
    return [];
  }
  return ranked
    .slice(0, ANSWER_SENTENCES_MAX)
    .filter((index) => score(scores, index) >= SCORE_SHARE_MIN * score(scores, best))
    .sort((one, other) => one - other)
    .map((index) => material[index] ?? '');
}

function besides(material: readonly string[], index: number): string[] {
  return [material[index - 1] ?? '', material[index + 1] ?? ''];
}

function covers(sentence: readonly string[], query: readonly string[]): boolean {
  const terms = new Set(query);
  const covered = [...new Set(sentence)].filter((stem) => terms.has(stem)).length;
  return covered >= COVERED_TERMS_MIN || (covered > 0 && covered >= COVERAGE_MIN * terms.size);
}

function score(scores: readonly number[], index: number): number {
  return scores[index] ?? 0;
}
