import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { governingLawOf } from '../../src/modules/legal/governing-law';
import { partiesIn } from '../../src/modules/legal/parties';
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

/** The cases of test/fixtures/text. */
export const ownTextGroups: readonly TextGroup[] = [
  group<Contract>('governing law', 'contracts', ({ text, governing_law: names }) =>
    (names ?? [null]).some((name) => name === (governingLawOf(text)?.law ?? null)),
  ),
  group<Contract>('parties', 'contracts', ({ text, parties }) =>
    isSame(
      partiesIn(text)
        .map(({ name }) => name)
        .sort(),
      [...parties].sort(),
    ),
  ),
  group<{ text: string; dates: string[] }>('dates', 'dates', ({ text, dates }) =>
    isSame(
      datesIn(text).map(({ date }) => date),
      dates,
    ),
  ),
  group<{ text: string; language: string | null }>(
    'language',
    'languages',
    ({ text, language }) => detectLanguage(text) === language,
  ),
  group<{ text: string; count: number }>(
    'sentences',
    'sentences',
    ({ text, count }) => splitSentences(text).length === count,
  ),
  {
    name: 'answers from passages, and silence (own)',
    measure: () => Promise.resolve(answersOf(casesOf<Passages>('passages.json'))),
  },
];

function group<Case>(name: string, file: string, isRight: (expected: Case) => boolean): TextGroup {
  return {
    name: `${name} (own)`,
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

interface Article {
  readonly paragraphs: readonly {
    readonly context: string;
    readonly qas: readonly {
      readonly question: string;
      readonly answers: readonly { readonly answer_start: number }[];
    }[];
  }[];
}

const QUESTIONS = 120;
const PASSAGES = 5;

/** Questions of XQuAD (Artetxe et al., 2020), one group for each `xquad.<language>.json` of a folder. */
export function publicAnswerGroups(folder: string | null): readonly TextGroup[] {
  if (folder === null) {
    return [
      {
        name: 'answers of XQuAD (BENCH_XQUAD names its folder)',
        measure: () => Promise.resolve({ right: 0, of: 0 }),
      },
    ];
  }
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => {
    const { data } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { data: readonly Article[] };
    return [
      { name: `answers of XQuAD, ${file}`, measure: () => Promise.resolve(publicAnswers(data)) },
      { name: `silence of XQuAD, ${file}`, measure: () => Promise.resolve(publicSilence(data)) },
    ];
  });
}

function askedOf(data: readonly Article[]) {
  const passages = data.flatMap(({ paragraphs }, article) =>
    paragraphs.map(({ context, qas }) => ({ article, context, qas })),
  );
  const all = passages.flatMap(({ qas }, passage) =>
    qas.map(({ question, answers }) => ({ question, passage, start: answers[0]?.answer_start ?? 0 })),
  );
  const step = Math.floor(all.length / QUESTIONS);
  return { passages, asked: all.filter((_, index) => index % step === 0).slice(0, QUESTIONS) };
}

/** Each question with the passage that answers it in the middle of others. */
function publicAnswers(data: readonly Article[]): Score {
  const { passages, asked } = askedOf(data);
  const right = asked.filter(({ question, passage, start }, index) => {
    const others = Array.from(
      { length: PASSAGES },
      (_, turn) => (passage + 11 * (turn + 1) + index) % passages.length,
    );
    const read = others.map((other, turn) =>
      turn === 2 ? passage : other === passage ? passage + 1 : other,
    );
    const said = quotedAnswer(
      question,
      read.map((each) => ({ text: passages[each % passages.length]?.context ?? '', heading: null })),
    );
    return said.some((quote) => quote.passage === 2 && quote.start <= start && start < quote.end);
  });
  return { right: right.length, of: asked.length };
}

/** Each question with passages of other articles alone. */
function publicSilence(data: readonly Article[]): Score {
  const { passages, asked } = askedOf(data);
  const right = asked.filter(({ question, passage }, index) => {
    const others = passages.filter(({ article }) => article !== passages[passage]?.article);
    const read = Array.from(
      { length: PASSAGES },
      (_, turn) => others[(index * 7 + turn * 31) % others.length],
    );
    return (
      quotedAnswer(
        question,
        read.map((each) => ({ text: each?.context ?? '', heading: null })),
      ).length === 0
    );
  });
  return { right: right.length, of: asked.length };
}
