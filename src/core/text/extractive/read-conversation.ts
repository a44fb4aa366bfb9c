import { splitSentences } from '../split-sentences';

/** The name under which the extractive engine answers. */
export const EMBEDDED_CHAT_MODEL = 'embedded-extractive-1';

const REASON = `I am ${EMBEDDED_CHAT_MODEL}, an extractive engine without an upstream model: I only quote sentences from the messages of the request.`;

/** The answers that this engine gives where it has nothing to quote. */
export const CANNOT_ANSWER = `I can't answer that from the text that I was given. ${REASON}`;
export const CANNOT_COMPOSE = `I can't write new text. ${REASON}`;

/**
 * Whether an earlier message is a refusal of this engine, which says nothing about the subject and must not be quoted.
 */
function isExtractiveRefusal(text: string): boolean {
  return text === CANNOT_ANSWER || text === CANNOT_COMPOSE;
}

/** A message of a conversation: who says it, such as `user`, and what it says. */
export interface ConversationMessage {
  readonly role: string;
  readonly text: string;
}

/** What the last user message asks, and the distinct sentences that may answer it, in the order of the messages. */
export interface Conversation {
  readonly request: string;
  readonly kind: 'question' | 'summary' | 'composition';
  /** The sentences beside the request in the last user message. */
  readonly ownMaterial: readonly string[];
  /** The sentences of all other messages. */
  readonly earlierMaterial: readonly string[];
}

const POLITENESS = '(?:(?:please|can you|could you|would you),? )*';
const SUMMARY =
  /\b(summar(y|i[sz]e)|tl;?dr|key points|main (points|ideas?)|in short|condense|what .{1,40} about\?)/i;
const COMPOSITION = new RegExp(
  `^${POLITENESS}(?:translate|rewrite|rephrase|paraphrase|invent|imagine|code|implement` +
    `|(?:write|compose|draft|generate|create)(?! (?:me )?(?:an? |the )?(?:[a-z]+ )?summary))\\b`,
  'i',
);
const INSTRUCTION = new RegExp(
  `^${POLITENESS}(?:summari[sz]e|tl;?dr|condense|explain|describe` +
    `|(?:tell|give|show|find|list|name|answer|extract|quote) (?:me|us|the|this|all|every|an?))\\b`,
  'i',
);
const MARKED_QUESTION = /^(?:question|q|query|task)\s*:/i;
const MATERIAL_LABEL = /^(?:context|text|passage|document|article|source)s?: +/i;
const LABEL_LENGTH_MAX = 120;

/** Splits a conversation into the request and the sentences that may answer it. Never throws; takes linear time. */
export function readConversation(messages: readonly ConversationMessage[]): Conversation {
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  const asked = lastUser < 0 ? messages.length - 1 : lastUser;
  const own = sentencesOf(messages[asked]?.text ?? '');
  const orders = own.filter(isOrder);
  const decisive = orders.filter((sentence) => SUMMARY.test(sentence) || COMPOSITION.test(sentence));
  const requests = [decisive, own.filter(isQuestion), orders].find((candidates) => candidates.length > 0);
  const request = (requests ?? own).join(' ');
  const earlier = messages.filter((message, index) => index !== asked && !isExtractiveRefusal(message.text));
  return {
    request,
    kind: COMPOSITION.test(request) ? 'composition' : SUMMARY.test(request) ? 'summary' : 'question',
    ownMaterial: requests ? statements(own) : [],
    earlierMaterial: statements(earlier.flatMap(({ text }) => sentencesOf(text))),
  };
}

function sentencesOf(text: string): string[] {
  return splitSentences(text).flatMap(({ text }) => splitAtLabel(text.replace(MATERIAL_LABEL, '')));
}

/** Splits a sentence such as "Summarize this: Bees dance." into its order and the material behind the colon. */
function splitAtLabel(sentence: string): string[] {
  const colon = sentence.slice(0, LABEL_LENGTH_MAX).indexOf(': ');
  if (colon < 0 || !isOrder(sentence) || isQuestion(sentence)) {
    return [sentence];
  }
  return [sentence.slice(0, colon + 1), sentence.slice(colon + 1).trim()];
}

/** The distinct sentences that may answer something, which questions and orders do not. */
function statements(sentences: readonly string[]): string[] {
  return [...new Set(sentences)].filter(
    (sentence) => !isQuestion(sentence) && !isOrder(sentence) && /[\p{L}\p{N}]/u.test(sentence),
  );
}

function isQuestion(sentence: string): boolean {
  return sentence.endsWith('?') || sentence.endsWith('？') || MARKED_QUESTION.test(sentence);
}

function isOrder(sentence: string): boolean {
  return INSTRUCTION.test(sentence) || COMPOSITION.test(sentence);
}
