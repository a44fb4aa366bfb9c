import { bm25Scores } from './bm25-scores';
import { contentStems } from './content-stems';
import { MONTH_NAMES } from './dates';
import { comparedStems, isSubject, KIND_ASKED_FOR } from './quoted-answer';
import { splitSentences } from './split-sentences';
import { passivesIn } from './style-words';
import { centralSentences } from './summary';

export const EMBEDDED_CHAT_MODEL = 'embedded-extractive-1';

const REASON = `I am ${EMBEDDED_CHAT_MODEL}, an extractive engine without an upstream model: I only quote sentences from the messages of the request.`;

export const CANNOT_ANSWER = `I can't answer that from the text that I was given. ${REASON}`;
export const CANNOT_COMPOSE = `I can't write new text. ${REASON}`;

/** A refusal says nothing about the subject and must not be quoted. */
function isExtractiveRefusal(text: string): boolean {
  return text === CANNOT_ANSWER || text === CANNOT_COMPOSE;
}

interface ConversationMessage {
  readonly role: string;
  readonly text: string;
}

/** The request of the last user message, and the distinct sentences that may answer it, in order. */
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

/** Never throws; takes linear time. */
function readConversation(messages: readonly ConversationMessage[]): Conversation {
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

/** "Summarize this: Bees dance." is an order and the material behind the colon. */
function splitAtLabel(sentence: string): string[] {
  const colon = sentence.slice(0, LABEL_LENGTH_MAX).indexOf(': ');
  if (colon < 0 || !isOrder(sentence) || isQuestion(sentence)) {
    return [sentence];
  }
  return [sentence.slice(0, colon + 1), sentence.slice(colon + 1).trim()];
}

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

/** In UTF-16 units. A longer question is a text. */
const QUESTION_LENGTH_MAX = 300;
const QUESTIONS_MAX = 5;
const QUESTION = /[?？]["'”’»)]*$/u;
const ASKS = /^(?:(?:question|q|query|task)\s?:\s?)?(?:\W|and\b|so\b){0,4}(?<word>when|where|who)\b/iu;
/** Words that name a kind of answer need not be in it: "what notice period", "how large". */
const KIND_NAMED =
  /\b(?<before>(?:what|which)(?: \p{L}{1,20}){1,2}) (?:periods?|times?|days?|dates?|numbers?|amounts?)\b/giu;
const MEASURE_ASKED =
  /\bhow (?:large|big|small|long|old|high|tall|deep|wide|far|fast|heavy|often|expensive|late|early)\b/iu;
const ALTERNATIVE = / or (?:an? |the )?\p{L}{1,20}(?=\s?[?？])/gu;

const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand';
const QUANTITY = new RegExp(
  String.raw`\p{N}|\b(?:${NUMBER_WORDS}|half|dozen|once|twice|daily|weekly|monthly|yearly)\b`,
  'iu',
);
const TIME_WORDS =
  `days?|weeks?|months?|years?|hours?|minutes?|quarters?|century|centuries|mornings?|noon|afternoons?|evenings?|nights?|midnight|today|
  tomorrow|yesterday|spring|summer|autumn|winter|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekdays?|
  weekends?|christmas|easter|after|before|during|until|till|since|while|when|once|as soon as|immediately|promptly|now|soon|never|always|
  first|last|next|upon`.replaceAll(/\s*\|\s*/gu, '|');
const DAY = String.raw`\p{N}|(?:the )?(?:${MONTH_NAMES}|${TIME_WORDS}|${NUMBER_WORDS})\b`;
const TIME = new RegExp(String.raw`(?<!\p{L})(?:${DAY})`, 'iu');
const PLACE = new RegExp(
  String.raw`\b(?:in|on|at|near|behind|beside|beneath|under|between|opposite|outside|inside|within|along|around|across|from|to|into|by|above|below|beyond|north|south|east|west|next to|here|there)\b(?! (?:${DAY}))`,
  'iu',
);

interface AskedQuestion {
  readonly text: string;
  readonly subjects: readonly string[];
}

/**
 * Makes the check of whether a sentence can answer a question of the request: with its neighbours it holds every
 * subject of the question, and by itself something of the kind that is asked for (a time, a place, somebody). What is
 * asked without a question mark or at length is not checked.
 */
function answerCheck(request: string): (sentence: string, beside: readonly string[]) => boolean {
  const asked = splitSentences(request).filter(({ text }) => QUESTION.test(text));
  const isChecked =
    asked.length > 0 &&
    asked.length <= QUESTIONS_MAX &&
    asked.every(({ text }) => text.length <= QUESTION_LENGTH_MAX);
  if (!isChecked) {
    return () => true;
  }
  const questions = asked.map(({ text }) => ({ text, subjects: subjectsOf(text) }));
  return (sentence, beside) => {
    const held = new Set(comparedStems([sentence, ...beside].join(' ')));
    return questions.some((question) => answers(question, sentence, held));
  };
}

function subjectsOf(question: string): string[] {
  const about = question
    .replace(KIND_NAMED, '$<before>')
    .replace(KIND_ASKED_FOR, ' ')
    .replace(ALTERNATIVE, '')
    .replace(MEASURE_ASKED, ' ');
  return comparedStems(about).filter(isSubject);
}

function answers({ text, subjects }: AskedQuestion, sentence: string, held: ReadonlySet<string>): boolean {
  const asks = ASKS.exec(text)?.groups?.word?.toLowerCase();
  return (
    subjects.every((stem) => held.has(stem)) &&
    (!MEASURE_ASKED.test(text) || QUANTITY.test(sentence)) &&
    (asks !== 'when' || TIME.test(sentence)) &&
    (asks !== 'where' || PLACE.test(sentence)) &&
    (asks !== 'who' || namesSomebody(text, sentence))
  );
}

/** A passive without "by" does not name who acts. */
function namesSomebody(question: string, sentence: string): boolean {
  const asked = new Set(comparedStems(question));
  const others = comparedStems(sentence).filter((stem) => !asked.has(stem) && /^\p{L}+$/u.test(stem));
  const isHidden =
    passivesIn(sentence).length > 0 && !/\bby\b/iu.test(sentence) && passivesIn(question).length === 0;
  const isPassiveAsked = /\bwho (?:is|was|are|were|has been|have been) /iu.test(question);
  return others.length > 0 && (!isHidden || isPassiveAsked);
}

interface ExtractiveAnswer {
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
const COUNT_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * Answers the last user message with sentences quoted from the conversation: the most central ones for a summary, else
 * those that match the question. Refuses where nothing matches or new text is asked for.
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

/** The number in "in two sentences", at most 20. */
function requestedSentences(request: string): number | undefined {
  const named = /\b(\d{1,2}|[a-z]+)[ -](?:short )?sentences?\b/i.exec(request)?.[1]?.toLowerCase();
  if (named === undefined) {
    return undefined;
  }
  const count = COUNT_WORDS.includes(named) ? COUNT_WORDS.indexOf(named) : Number(named);
  return count >= 1 ? Math.min(count, SUMMARY_SENTENCES_MAX) : undefined;
}

function findAnswer({ request, ownMaterial, earlierMaterial }: Conversation): string[] {
  const material = [...new Set([...earlierMaterial, ...ownMaterial])];
  const stems = material.map(contentStems);
  const query = contentStems(request);
  const scores = bm25Scores(stems, query);
  const canAnswer = answerCheck(request);
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
