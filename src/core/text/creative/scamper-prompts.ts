import { keywords } from '../analysis/keywords';
import { shortened } from './scaffold-material';
import { SCAMPER_QUESTIONS, SCAMPER_TECHNIQUES, type ScamperTechnique } from './scamper-questions';

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
