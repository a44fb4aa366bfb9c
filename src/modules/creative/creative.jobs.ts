import { keywords } from '../../text/keywords';
import { type ChosenSuggestions, styleSuggestions } from '../../text/suggestions';
import { textJobsOf } from '../../text/text-job';
import { wordList } from '../../text/word-list';
import { creativeScaffold, shortened } from './creative-scaffold';

/** The techniques of SCAMPER, in its order. */
export const SCAMPER_TECHNIQUES = wordList(
  'substitute combine adapt modify put_to_another_use eliminate reverse',
);
type ScamperTechnique = (typeof SCAMPER_TECHNIQUES)[number];

/** The first "…" of each text is the place of the subject. */
type Question = readonly [title: string, angle: string];

/** Four questions for each technique. */
export const SCAMPER_QUESTIONS: Record<ScamperTechnique, readonly Question[]> = {
  substitute: [
    ['Something in place of …', 'What could take the place of …, and what would then work better?'],
    ['Other people for …', 'Who else could do or decide what … needs today?'],
    ['Another place for …', 'Where else could … happen, and what would change there?'],
    ['Another material for …', 'Which material, source or ingredient of … could be exchanged?'],
  ],
  combine: [
    ['… joined with its neighbour', 'What is used just before or after …, and could be one thing with it?'],
    ['Two purposes for …', 'Which second purpose could … serve at the same time?'],
    ['Allies for …', 'Whose skills, rooms or customers could be brought together with …?'],
    ['… and its opposite', 'What would come of … if it held its own opposite too?'],
  ],
  adapt: [
    ['… as another trade does it', 'Which trade has solved something like … already, and how?'],
    ['… as it once was', 'How was … done fifty years ago, and what of that is worth taking up?'],
    ['… for another season', 'How would … have to change for another season or climate?'],
    ['… as nature does it', 'Where does nature do something like …, and by which trick?'],
  ],
  modify: [
    ['… ten times larger', 'What would … be at ten times its size, number or length?'],
    ['… in miniature', 'What would … be if it had to fit into a pocket or a minute?'],
    ['… seen, heard, touched', 'Which sense does … leave out today, and what could it offer to that sense?'],
    ['… more often', 'What would change if … came every hour instead of when it comes today?'],
  ],
  put_to_another_use: [
    ['… for others', 'Who was … never meant for, and what could they do with it?'],
    ['What … leaves over', 'What does … leave over, and who would want that?'],
    ['… as a lesson', 'What could somebody learn from … who only watches?'],
    ['… for play', 'What would children make of … if nobody told them what it is for?'],
  ],
  eliminate: [
    ['… with one part fewer', 'Which part of … would nobody miss?'],
    ['… without its cost', 'What would … be if it had to cost nothing?'],
    ['… without its rules', 'Which rule does … follow only because it always has?'],
    ['One step to …', 'Which steps stand between somebody and …, and what if there was only one?'],
  ],
  reverse: [
    ['… from its end', 'What if … began with what is now its end?'],
    ['… with exchanged roles', 'What if those who receive … gave it, and the other way round?'],
    ['How to spoil …', 'What would make … as bad as possible, and what is the opposite of each of these?'],
    ['… inside out', 'What does … hide that could be shown?'],
  ],
};

/** A question that leads to an idea. */
export interface IdeaPrompt {
  readonly title: string;
  readonly angle: string;
  readonly technique: ScamperTechnique;
}

const SUBJECTS_MAX = 8;
/** In UTF-16 units. */
const SUBJECT_LENGTH_MAX = 80;

/**
 * Questions that lead to ideas on a topic, each once: the techniques of SCAMPER in turn, each with one of the topic's
 * keywords. The same topic always gets the same questions.
 * Source: Eberle, "Scamper: games for imagination development", 1971.
 * @param count at most as many as there are questions for one keyword, 28
 */
export function scamperPrompts(topic: string, count: number): IdeaPrompt[] {
  const found = keywords(topic, SUBJECTS_MAX).map(({ text }) => shortened(text, SUBJECT_LENGTH_MAX));
  const subjects = found.length > 0 ? [...new Set(found)] : [shortened(topic, SUBJECT_LENGTH_MAX)];
  return Array.from({ length: count }, (_, index) => {
    const place = index % SCAMPER_TECHNIQUES.length;
    const round = Math.floor(index / SCAMPER_TECHNIQUES.length);
    const technique = SCAMPER_TECHNIQUES[place] ?? 'substitute';
    const question = SCAMPER_QUESTIONS[technique][round];
    if (question === undefined) {
      throw new RangeError('there are not so many questions');
    }
    // Every other round begins with another keyword, so that one technique asks about several.
    const subject = `“${subjects[(place + round) % subjects.length] ?? ''}”`;
    const [title, angle] = question;
    return { title: filled(title, subject), angle: filled(angle, subject), technique };
  });
}

function filled(question: string, subject: string): string {
  return question.replace('…', () => subject);
}

/** Questions that lead to ideas on a topic. */
function promptIdeas({ topic, count }: { topic: string; count: number }): IdeaPrompt[] {
  return scamperPrompts(topic, count);
}

/** Suggestions by the rules of style, at most so many. */
function suggestStyle({ text, countMax }: { text: string; countMax: number }): ChosenSuggestions {
  return styleSuggestions(text, countMax);
}

export const creativeJobs = textJobsOf(__filename, {
  promptIdeas,
  scaffoldText: creativeScaffold,
  suggestStyle,
});
