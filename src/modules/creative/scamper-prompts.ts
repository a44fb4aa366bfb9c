import { keywords } from '../../text/keywords';
import { shortened } from './creative-scaffold';

/** The techniques of SCAMPER, in its order. */
export const SCAMPER_TECHNIQUES = [
  'substitute',
  'combine',
  'adapt',
  'modify',
  'put_to_another_use',
  'eliminate',
  'reverse',
] as const;
type ScamperTechnique = (typeof SCAMPER_TECHNIQUES)[number];

/** The first "…" of each text is the place of the subject. */
interface Question {
  readonly title: string;
  readonly angle: string;
}

/** Four questions for each technique. */
export const SCAMPER_QUESTIONS: Record<ScamperTechnique, readonly Question[]> = {
  substitute: [
    {
      title: 'Something in place of …',
      angle: 'What could take the place of …, and what would then work better?',
    },
    { title: 'Other people for …', angle: 'Who else could do or decide what … needs today?' },
    { title: 'Another place for …', angle: 'Where else could … happen, and what would change there?' },
    {
      title: 'Another material for …',
      angle: 'Which material, source or ingredient of … could be exchanged?',
    },
  ],
  combine: [
    {
      title: '… joined with its neighbour',
      angle: 'What is used just before or after …, and could be one thing with it?',
    },
    { title: 'Two purposes for …', angle: 'Which second purpose could … serve at the same time?' },
    { title: 'Allies for …', angle: 'Whose skills, rooms or customers could be brought together with …?' },
    { title: '… and its opposite', angle: 'What would come of … if it held its own opposite too?' },
  ],
  adapt: [
    {
      title: '… as another trade does it',
      angle: 'Which trade has solved something like … already, and how?',
    },
    {
      title: '… as it once was',
      angle: 'How was … done fifty years ago, and what of that is worth taking up?',
    },
    { title: '… for another season', angle: 'How would … have to change for another season or climate?' },
    { title: '… as nature does it', angle: 'Where does nature do something like …, and by which trick?' },
  ],
  modify: [
    { title: '… ten times larger', angle: 'What would … be at ten times its size, number or length?' },
    { title: '… in miniature', angle: 'What would … be if it had to fit into a pocket or a minute?' },
    {
      title: '… seen, heard, touched',
      angle: 'Which sense does … leave out today, and what could it offer to that sense?',
    },
    {
      title: '… more often',
      angle: 'What would change if … came every hour instead of when it comes today?',
    },
  ],
  put_to_another_use: [
    { title: '… for others', angle: 'Who was … never meant for, and what could they do with it?' },
    { title: 'What … leaves over', angle: 'What does … leave over, and who would want that?' },
    { title: '… as a lesson', angle: 'What could somebody learn from … who only watches?' },
    { title: '… for play', angle: 'What would children make of … if nobody told them what it is for?' },
  ],
  eliminate: [
    { title: '… with one part fewer', angle: 'Which part of … would nobody miss?' },
    { title: '… without its cost', angle: 'What would … be if it had to cost nothing?' },
    { title: '… without its rules', angle: 'Which rule does … follow only because it always has?' },
    {
      title: 'One step to …',
      angle: 'Which steps stand between somebody and …, and what if there was only one?',
    },
  ],
  reverse: [
    { title: '… from its end', angle: 'What if … began with what is now its end?' },
    {
      title: '… with exchanged roles',
      angle: 'What if those who receive … gave it, and the other way round?',
    },
    {
      title: 'How to spoil …',
      angle: 'What would make … as bad as possible, and what is the opposite of each of these?',
    },
    { title: '… inside out', angle: 'What does … hide that could be shown?' },
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
    return { title: filled(question.title, subject), angle: filled(question.angle, subject), technique };
  });
}

function filled(question: string, subject: string): string {
  return question.replace('…', () => subject);
}
