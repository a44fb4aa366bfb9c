import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { governingLawOf } from '../../src/modules/legal/parties';
import { datesIn } from '../../src/text/dates';
import { detectLanguage, mayBeEnglish } from '../../src/text/detect-language';
import { quotedAnswer } from '../../src/text/quoted-answer';
import type { Score, TextGroup } from './groups';

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
      {
        name: `answers of XQuAD, ${file}`,
        aim: 70,
        before: '73 of 840 in seven languages',
        measure: () => Promise.resolve(publicAnswers(data)),
      },
      {
        name: `silence of XQuAD, ${file}`,
        aim: 95,
        before: '840 of 840 in seven languages',
        measure: () => Promise.resolve(publicSilence(data)),
      },
      {
        name: `language of questions of XQuAD, ${file}`,
        aim: 95,
        measure: () => Promise.resolve(publicLanguages(data, file.split('.')[1] ?? '')),
      },
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

function publicLanguages(data: readonly Article[], language: string): Score {
  const { asked } = askedOf(data);
  const right = asked.filter(({ question }) => detectLanguage(question) === language);
  return { right: right.length, of: asked.length };
}

/** What is written, and the date that it means. */
type WrittenDate = readonly [text: string, date: string];
/** Absolute dates of the tests of dateparser (BSD-3-Clause), by which the rules were made. */
const PUBLIC_DATES = JSON.parse(readFileSync('bench/text/public-dates.json', 'utf8')) as WrittenDate[];
/**
 * Absolute dates of the tests of others, taken before our rules were tried on them: all inputs with one date whose year and day
 * stand there in digits. Left out are dates whose order is arbitrary, such as 08/12,2015, and another calendar's.
 */
const FURTHER_DATES = JSON.parse(readFileSync('bench/text/further-dates.json', 'utf8')) as readonly {
  readonly source: string;
  readonly licence: string;
  readonly dates: readonly WrittenDate[];
}[];
/** The governing law of each licence of SPDX in English that names one, by its id. */
const LICENCE_LAWS = JSON.parse(readFileSync('bench/text/licence-laws.json', 'utf8')) as Record<
  string,
  string
>;

export const publicDateGroups: readonly TextGroup[] = [
  {
    name: 'dates of the tests of dateparser, each with what stands beside it',
    aim: 90,
    before: '55 of 148',
    measure: () => Promise.resolve(publicDates(PUBLIC_DATES)),
  },
  ...FURTHER_DATES.map(({ source, dates }) => ({
    name: `dates of ${source.split(',')[0] ?? source}`,
    aim: 90,
    measure: () => Promise.resolve(publicDates(dates)),
  })),
];

function publicDates(dates: readonly WrittenDate[]): Score {
  const right = dates.filter(([text, date]) => {
    const found = datesIn(text);
    return found.length === 1 && found[0]?.date === date;
  });
  return { right: right.length, of: dates.length };
}

/** Licences as the package spdx-license-list has them, a JSON file for each; those in other languages are left out. */
export function licenceGroups(folder: string | null): TextGroup[] {
  const measured = (name: string, isMeant: (id: string) => boolean): TextGroup => ({
    name: `governing law of licences of SPDX ${name}`,
    aim: 85,
    measure: () => {
      const licences = (folder === null ? [] : readdirSync(folder))
        .map((file) => ({ id: file.replace(/\.json$/, ''), text: licenceText(join(folder ?? '', file)) }))
        .filter(({ id, text }) => isMeant(id) && mayBeEnglish(text));
      const right = licences.filter(
        ({ id, text }) => (governingLawOf(text)?.law ?? null) === (LICENCE_LAWS[id] ?? null),
      );
      return Promise.resolve({ right: right.length, of: licences.length });
    },
  });
  const names = (id: string) => LICENCE_LAWS[id] !== undefined;
  return [measured('that name one', names), measured('that name none', (id) => !names(id))];
}

function licenceText(path: string): string {
  return (JSON.parse(readFileSync(path, 'utf8')) as { licenseText: string }).licenseText;
}
