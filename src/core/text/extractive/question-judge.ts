import { MONTH_NAMES } from '../analysis/months';
import { passivesIn } from '../analysis/passive-voice';
import { splitSentences } from '../split-sentences';
import { comparedStems } from './passages';
import { isSubject, KIND_ASKED_FOR } from './question-words';

/** In UTF-16 units. A longer question is a text. */
const QUESTION_LENGTH_MAX = 300;
const QUESTIONS_MAX = 5;
const QUESTION = /[?？]["'”’»)]*$/u;
const ASKS = /^(?:(?:question|q|query|task)\s?:\s?)?(?:\W|and\b|so\b){0,4}(?<word>when|where|who)\b/iu;
/** Words by which a question asks for a kind of answer, which need not be in it: "what notice period", "how large". */
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
  /** The stems of the words that it is about. */
  readonly subjects: readonly string[];
}

/**
 * Tells of each sentence whether it can answer a question of the request: it holds, together with the sentences beside it,
 * every word that the question is about, and by itself something of the kind that is asked for: for "when" a time, for
 * "where" a place, for "who" somebody. So "The lighthouse was built in 1874." tells neither who built it, nor where it is, nor
 * when it was destroyed. What is asked without a question mark, at length or together with much else is not judged.
 */
export function questionJudge(request: string): (sentence: string, beside: readonly string[]) => boolean {
  const asked = splitSentences(request).filter(({ text }) => QUESTION.test(text));
  const isJudged =
    asked.length > 0 &&
    asked.length <= QUESTIONS_MAX &&
    asked.every(({ text }) => text.length <= QUESTION_LENGTH_MAX);
  if (!isJudged) {
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

/** Whether something beside the question's own words stands there, and no passive without "by" hides who does it. */
function namesSomebody(question: string, sentence: string): boolean {
  const asked = new Set(comparedStems(question));
  const others = comparedStems(sentence).filter((stem) => !asked.has(stem) && /^\p{L}+$/u.test(stem));
  const isHidden =
    passivesIn(sentence).length > 0 && !/\bby\b/iu.test(sentence) && passivesIn(question).length === 0;
  const isPassiveAsked = /\bwho (?:is|was|are|were|has been|have been) /iu.test(question);
  return others.length > 0 && (!isHidden || isPassiveAsked);
}
