import { processorMsBelow } from '../../../../test/support/processor-time';
import { amountsIn } from './amounts';
import { datesIn } from './dates';
import { entitiesIn } from './entities';
import { keyValuesIn } from './key-values';
import { keywords } from './keywords';
import { outlineOf } from './outline';
import { styleIssues } from './style-issues';
import { summaryOf } from './summary';
import { tablesIn } from './tables';
import { textStatistics } from './text-statistics';
import { toneOf } from './tone';

const FUNCTIONS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['textStatistics', textStatistics],
  ['keywords', (text) => keywords(text, 50)],
  ['entitiesIn', entitiesIn],
  ['datesIn', datesIn],
  ['amountsIn', amountsIn],
  ['summaryOf', (text) => summaryOf(text, { sentencesMax: 100 })],
  ['outlineOf', outlineOf],
  ['styleIssues', styleIssues],
  ['toneOf', toneOf],
  ['tablesIn', tablesIn],
  ['keyValuesIn', keyValuesIn],
];

/** What regular expressions and rankings have trouble with: one character for ever, and near misses of every pattern. */
const UNITS = [
  ...[
    'a',
    'A',
    'é',
    '中',
    '1',
    ' ',
    '\n',
    '\t',
    '.',
    '-',
    '|',
    '_',
    '*',
    '#',
    '"',
    '[',
    '(',
    '@',
    '€',
    '\ud800',
    '😀',
  ],
  ...[
    'a.',
    'a ',
    'A ',
    'A.',
    '1.',
    '1,',
    '1 ',
    '1-',
    '1/',
    ' .',
    '\n ',
    '\n\n',
    '| ',
    '|-',
    '- ',
    '# ',
    'a@',
    'a-',
    "a'",
    'a@a.',
    '$1',
    '$1,',
    '10.',
  ],
  ...[
    'Ab ',
    'Ab & ',
    'Ab, ',
    'Dr. ',
    'John ',
    'A. ',
    'is ',
    'the ',
    'in order ',
    'very ',
    'one ',
    'one (1) ',
    '1 May ',
    'May ',
    'May 1, ',
    '1.1.2026 ',
  ],
  ...[
    '1 000 ',
    '+1 2 ',
    'AB-12-',
    'http://',
    'www.',
    '10.1000/',
    'DE89 ',
    'Inc ',
    'Bank of ',
    '12 Ab ',
    'a b c. ',
    'Ab: c\n',
    'A, b; c: d.\n',
    'a,b\n',
    ',a',
    'a  b\n',
    '1. A\n',
    'From: Ab Cd, ',
  ],
];
const LENGTH = 32_768;
/** The largest text has twelve times as much, and 5 s. A function of quadratic time needs half a minute for this one. */
const LIMIT_MS = 375;

describe('time of the text engine', () => {
  it.each(FUNCTIONS)('%s is linear in any text', async (_, run) => {
    const slow: string[] = [];
    for (const unit of UNITS) {
      const text = unit.repeat(LENGTH / unit.length);
      const tookMs = await processorMsBelow(LIMIT_MS, () => run(text));
      if (tookMs > LIMIT_MS) {
        slow.push(`${JSON.stringify(unit)}: ${Math.round(tookMs)} ms`);
      }
    }
    expect(slow).toEqual([]);
  });
});
