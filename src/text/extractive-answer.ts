import { contentStems } from './content-stems';
import { quotedAnswer } from './quoted-answer';
import { splitSentences } from './split-sentences';
import { centralSentences } from './summary';

export const EMBEDDED_CHAT_MODEL = 'embedded-extractive-1';

const REASON = `I am ${EMBEDDED_CHAT_MODEL}, an extractive engine without an upstream model: I only quote sentences from the messages of the request.`;

export const CANNOT_ANSWER = `I can't answer that from the text that I was given. ${REASON}`;
export const CANNOT_COMPOSE = `I can't write new text. ${REASON}`;

const REFUSALS = [CANNOT_ANSWER, CANNOT_COMPOSE];

interface ConversationMessage {
  readonly role: string;
  readonly text: string;
}

interface Conversation {
  readonly request: string;
  readonly kind: 'question' | 'summary' | 'composition';
  readonly ownMaterial: readonly string[];
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

function readConversation(messages: readonly ConversationMessage[]): Conversation {
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  const asked = lastUser < 0 ? messages.length - 1 : lastUser;
  const own = sentencesOf(messages[asked]?.text ?? '');
  const orders = own.filter(isOrder);
  const decisive = orders.filter((sentence) => SUMMARY.test(sentence) || COMPOSITION.test(sentence));
  const requests = [decisive, questionsAsked(own), orders].find((candidates) => candidates.length > 0);
  const request = (requests ?? own).join(' ');
  const requested = new Set(requests);
  const earlier = messages.filter((message, index) => index !== asked && !REFUSALS.includes(message.text));
  return {
    request,
    kind: COMPOSITION.test(request) ? 'composition' : SUMMARY.test(request) ? 'summary' : 'question',
    ownMaterial: requests ? materialIn(own.filter((sentence) => !requested.has(sentence))) : [],
    earlierMaterial: earlier.flatMap(({ text }) => materialIn(sentencesOf(text))),
  };
}

/** Those that end the message, or else begin it, because a text inside it may ask and answer. */
function questionsAsked(own: readonly string[]): readonly string[] {
  const isOther = (sentence: string) => !isQuestion(sentence);
  const last = own.slice(own.findLastIndex(isOther) + 1);
  const first = own.slice(0, Math.max(0, own.findIndex(isOther)));
  return [last, first].find((questions) => questions.length > 0) ?? own.filter(isQuestion);
}

function sentencesOf(text: string): string[] {
  return splitSentences(text).flatMap(({ text }) => splitAtLabel(text.replace(MATERIAL_LABEL, '')));
}

/** "Summarize this: Bees dance." is an order and the material after the colon. */
function splitAtLabel(sentence: string): string[] {
  const colon = sentence.slice(0, LABEL_LENGTH_MAX).indexOf(': ');
  if (colon < 0 || !isOrder(sentence) || isQuestion(sentence)) {
    return [sentence];
  }
  return [sentence.slice(0, colon + 1), sentence.slice(colon + 1).trim()];
}

function materialIn(sentences: readonly string[]): string[] {
  const statements = sentences.filter((sentence) => !isOrder(sentence) && /[\p{L}\p{N}]/u.test(sentence));
  return statements.filter(
    (sentence, index) => !isQuestion(sentence) || !isQuestion(statements[index + 1] ?? '?'),
  );
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]$/u.test(sentence) || MARKED_QUESTION.test(sentence);
}

function isOrder(sentence: string): boolean {
  return INSTRUCTION.test(sentence) || COMPOSITION.test(sentence);
}

const SUMMARY_SENTENCES_DEFAULT = 3;
const SUMMARY_SENTENCES_MAX = 20;
const COUNT_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Central sentences for a summary, else those that match. Refuses where none does or new text is asked for. */
export function extractiveAnswer(messages: readonly ConversationMessage[]): {
  text: string;
  method: 'bm25' | 'textrank' | 'refusal';
} {
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
  const [own, earlier] = [ownMaterial, earlierMaterial].map((sentences) => [
    ...new Set(sentences.filter((sentence) => !isQuestion(sentence))),
  ]);
  const material = (own?.length ? own : earlier) ?? [];
  const stems = material.map(contentStems);
  const count =
    requestedSentences(request) ?? Math.min(SUMMARY_SENTENCES_DEFAULT, Math.ceil(material.length / 2));
  return centralSentences(stems, count).map((index) => material[index] ?? '');
}

function requestedSentences(request: string): number | undefined {
  const named = /\b(\d{1,2}|[a-z]+)[ -](?:short )?sentences?\b/i.exec(request)?.[1]?.toLowerCase();
  if (named === undefined) {
    return undefined;
  }
  const count = COUNT_WORDS.includes(named) ? COUNT_WORDS.indexOf(named) : Number(named);
  return count >= 1 ? Math.min(count, SUMMARY_SENTENCES_MAX) : undefined;
}

function findAnswer({ request, ownMaterial, earlierMaterial }: Conversation): string[] {
  const material = [...earlierMaterial, ...ownMaterial];
  // An empty line ends a sentence whatever it ends with.
  const passage = { text: material.join('\n\n'), heading: null };
  return quotedAnswer(request.replace(MARKED_QUESTION, ''), [passage]).map(({ text }) => text);
}
