import { governingLawOf, partiesIn } from '../../src/modules/legal/parties';
import { datesIn } from '../../src/text/dates';
import { detectLanguage } from '../../src/text/detect-language';
import { quotedAnswer } from '../../src/text/quoted-answer';
import { splitSentences } from '../../src/text/split-sentences';
import { casesOf } from './file-cases';
import type { Score, TextGroup } from './groups';

interface Contract {
  readonly text: string;
  readonly governing_law: readonly string[] | null;
  readonly parties: readonly string[];
}

interface Passages {
  readonly passages: readonly string[];
  readonly questions: readonly { readonly question: string; readonly answer: string | null }[];
}

/** The cases of test/fixtures/text. What was right before is of the commit a1d0aab. */
export const ownTextGroups: readonly TextGroup[] = [
  group<Contract>(
    'governing law',
    'contracts',
    { aim: 85, before: '1 of 8' },
    ({ text, governing_law: names }) =>
      (names ?? [null]).some((name) => name === (governingLawOf(text)?.law ?? null)),
  ),
  group<Contract>('parties', 'contracts', { aim: 80, before: '3 of 8' }, ({ text, parties }) =>
    isSame(
      partiesIn(text)
        .map(({ name }) => name)
        .sort(),
      [...parties].sort(),
    ),
  ),
  group<{ text: string; dates: string[] }>(
    'dates',
    'dates',
    { aim: 90, before: '8 of 20' },
    ({ text, dates }) =>
      isSame(
        datesIn(text).map(({ date }) => date),
        dates,
      ),
  ),
  group<{ text: string; language: string | null }>(
    'language',
    'languages',
    { aim: 95, before: '13 of 30' },
    ({ text, language }) => detectLanguage(text) === language,
  ),
  group<{ text: string; count: number }>(
    'sentences',
    'sentences',
    { before: '5 of 8' },
    ({ text, count }) => splitSentences(text).length === count,
  ),
  {
    name: 'answers from passages, and silence (own)',
    before: '9 of 33',
    measure: () => Promise.resolve(answersOf(casesOf<Passages>('passages.json'))),
  },
];

function group<Case>(
  name: string,
  file: string,
  aims: Pick<TextGroup, 'aim' | 'before'>,
  isRight: (expected: Case) => boolean,
): TextGroup {
  return {
    name: `${name} (own)`,
    ...aims,
    measure: () => {
      const cases = casesOf<Case>(`${file}.json`);
      return Promise.resolve({ right: cases.filter(isRight).length, of: cases.length });
    },
  };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function answersOf(cases: readonly Passages[]): Score {
  const asked = cases.flatMap(({ passages, questions }) => questions.map((each) => ({ passages, ...each })));
  const right = asked.filter(({ passages, question, answer }) => {
    const said = quotedAnswer(
      question,
      passages.map((text) => ({ text, heading: null })),
    );
    return answer === null ? said.length === 0 : said.some(({ text }) => text.includes(answer));
  });
  return { right: right.length, of: asked.length };
}
