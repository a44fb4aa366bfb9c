/** A text of as many UTF-16 units, or a few more or fewer. */
export type TextOfLength = (length: number) => string;

/** Single characters, of which a text has nothing else. */
const CHARACTERS = 'a A é 中 1 . , ; : - | _ * # " \' “ [ ( { < > ` ~ \\ / @ $ € ? ! = + % 😀'
  .split(' ')
  .concat(' ', '\n', '\t', '\u00a0', '\u0301', '\ud800', '\udc00', '\0');

/** Near misses of the patterns that the engines look for, and signs by twos and threes, over and over. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  'letters and marks': [
    'a b c. ',
    'A, b; c: d.\n',
    'a.',
    'a ',
    'A ',
    'A. ',
    'a-',
    "a'",
    'a_b ',
    ' .',
    ') ',
    '"" ',
    '“a ',
    'e\u0301\u0316\u0327',
  ],
  'lines of little': ['a\n', ',\n', ';\n', 'a,b\n', '|\n', '\t\n', 'a  b\n', 'A\n\n', '\n ', '- \n', '---\n'],
  'tables that are none': [
    ',a',
    'a,"b\n',
    '"a,b",c\n',
    'a,b,c.\n',
    'a|b\n',
    '| ',
    '|-',
    '|-|\n',
    'a|b\n-|-\n',
    'a\tb.\n',
  ],
  'numbers and amounts': [
    '1 ',
    '1,',
    '1.',
    '1-',
    '1/',
    '10.',
    '$1',
    '$1,',
    '1 000 ',
    'EUR 1.',
    '1,1 million to ',
    '50% ',
  ],
  'dates and times': [
    '1 May ',
    'May ',
    'May 1, ',
    '1.1.2026 ',
    '1.1.',
    '2026-',
    '2026-01-',
    '12:',
    '1st of ',
    '3 days ',
  ],
  'addresses and codes': [
    'a@',
    'a@a.',
    'http://',
    'http://a.',
    'www.',
    '10.1000/',
    'doi:10.',
    'DE89 ',
    'AB-12-',
    '+1 2 ',
    '+123456789012345678901234567890123456789012x ',
  ],
  'names and places': [
    'From: Ab Cd, ',
    'Ab ',
    'Ab & ',
    'Ab, ',
    'Dr. ',
    'John ',
    'Inc ',
    'Bank of ',
    '12 Ab ',
    'Mr. A. ',
    'Ab-',
    'de la ',
  ],
  'words of style': [
    'is ',
    'the ',
    'in order ',
    'very ',
    'was made ',
    'not ',
    "n't ",
    'one (1) ',
    'which is ',
  ],
  headings: [
    '# ',
    '# a\n',
    '#\n',
    '1. A\n',
    '1.1.1 A\n\n',
    'a\n=\n',
    'a\n---\n',
    '**A',
    '**A**\n\n',
    'Ab: c\n',
    'Section 1 ',
  ],
  lists: ['- ', '- a\n', '1. a\n', '* a\n- b\n', 'a) b\n', '- [ ] a\n', '> > ', '> a\n'],
  Markdown: [
    '![',
    '](',
    '[](#',
    '[a](',
    '[a](#b)\n',
    '`` ` ',
    '```\n',
    '~~~\n',
    '<!--',
    '<a id="',
    '<img ',
    '</',
    '$$',
    '\\(',
  ],
  citations: [
    '[1] ',
    '[1',
    '(A, 2020',
    '(Ab, 2020; ',
    'et al. ',
    '“A” (2020). ',
    'pp. 1-',
    'p < .05, ',
    'Ab, A. (2020). ',
  ],
  clauses: [
    '“A” means ',
    '(the “A”) ',
    'shall ',
    'the Party shall pay, ',
    'between A and B ',
    'WHEREAS ',
    'within 3 ',
    '(a) ',
  ],
  'commits and code': [
    'feat: ',
    'feat(',
    'feat(a)!: b\n',
    'commit a1b2c3d\n',
    'a = b;\n',
    'if (a) {\n',
    '{"a":',
    '/* ',
    '// a\n',
  ],
  questions: ['Why? ', 'What is a? ', 'Question: ', 'Summarize: ', 'please, ', 'tell me ', 'context: '],
  'other scripts': [
    'กขฃคฅ',
    'สวัสดีครับ',
    '中文。',
    '你好',
    'かな',
    '안녕 ',
    'Ж. ',
    'שלום ',
    'क्षि',
    '🐝',
    '👩‍👩‍👧',
    '½',
    'ﷺ',
    'İ',
    'ß',
  ],
};

const WORDS =
  'time year people way day man thing woman life child world school state family student group'.split(' ');

function repeated(unit: string): TextOfLength {
  return (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Pieces that differ by their number, one behind the other. */
function numbered(piece: (index: number) => string): TextOfLength {
  return (length) => {
    const pieces: string[] = [];
    for (let index = 0, written = 0; written < length; index += 1) {
      const next = piece(index);
      pieces.push(next);
      written += next.length;
    }
    return pieces.join('').slice(0, length);
  };
}

/** The same number for the same index, anywhere from 0 to 2^31. */
function mixed(index: number): number {
  const first = Math.imul(index ^ (index >>> 15), 0x2c1b3c6d);
  return (first ^ (first >>> 13)) & 0x7fffffff;
}

const wordAt = (index: number) => WORDS[mixed(index) % WORDS.length] ?? '';
const distinctWord = (index: number) =>
  `${wordAt(index)}${mixed(index).toString(36).replaceAll(/\d/gu, 'x')}`;

/** What grows with its place: many different things of a kind. */
const NUMBERED: Readonly<Record<string, (index: number) => string>> = {
  'different words': (index) => `${distinctWord(index)} `,
  'different sentences': (index) => `The ${distinctWord(index)} opens the ${wordAt(index + 1)} near it. `,
  'sentences with small changes': (index) =>
    `The bees of hive ${index} dance to tell the others where flowers are. `,
  'one endless sentence': (index) => `and the ${wordAt(index)} sees a ${wordAt(index + 7)}, `,
  'different short lines': (index) => `${wordAt(index)} ${index}\n`,
  'different paragraphs': (index) => `${distinctWord(index)} is here.\n\n`,
  sections: (index) => `## Part ${index}\nThe ${wordAt(index)} is ${index}.\n\n`,
  'sections by number': (index) =>
    `${index}. Termination\nThe Tenant shall pay ${index} EUR within ${index} days.\n\n`,
  'sections that deepen': (index) =>
    `${'#'.repeat(1 + (index % 6))} Results ${index}\nWe saw p < 0.0${index}.\n`,
  'lists of references': (index) =>
    `# References\n[${index}] Smith, J. A. (20${10 + (index % 10)}). Title ${index}. Journal, 3(1), 1-9.\n`,
  references: (index) =>
    index === 0
      ? '# References\n\n'
      : `Smith${distinctWord(index)}, J. (2019). Title ${index}. Journal. doi:10.1000/${index}\n`,
  'citations of many': (index) =>
    `Bees dance (Smith, 20${10 + (index % 10)}; Lee et al., 2019) [${index % 100}]. `,
  'a table of commas': (index) => `${index},${wordAt(index)},"a ""b"", c",${index / 7}\n`,
  'a table of pipes': (index) => (index === 1 ? '| --- | --- |\n' : `| ${wordAt(index)} | ${index} |\n`),
  'tables that end': (index) => `a${index},b\n${index},1\n${index},2\n\n`,
  'tables of prose': (index) => `${wordAt(index)}, the ${wordAt(index + 1)} of it.\n`,
  'rows of different width': (index) => `${'a,'.repeat(index % 40)}\n`,
  'rows that never fit': (index) => `${'a;'.repeat(20)}${'b,'.repeat(20)}${index}.\n`,
  'aligned columns': (index) => `${wordAt(index)}    ${index}\n${index % 5 === 0 ? '-----  -----\n' : ''}`,
  'nested lists': (index) => `${' '.repeat(2 * (index % 60))}- item ${index}\n`,
  'lists that deepen': (index) => `${' '.repeat(Math.min(index, 200))}- item\n`,
  'quotes in quotes': (index) => `${'>'.repeat(1 + (index % 100))} quote ${index}\n`,
  'runs of backticks': (index) => `${'`'.repeat(1 + (index % 150))} `,
  names: (index) =>
    `Dr. ${distinctWord(index).replace(/^./u, (first) => first.toUpperCase())} Miller of Acme${index} Inc. met Anna Lee in Berlin. `,
  parties: (index) =>
    `${index === 0 ? 'This Agreement is between ' : ''}Acme ${distinctWord(index)} Ltd (the “Seller${index}”) and `,
  definitions: (index) => `“Term ${index}” means the ${wordAt(index)} of (the “Thing${index}”). `,
  obligations: (index) =>
    `The Seller shall deliver ${index} goods to the Buyer by 1 May 20${10 + (index % 80)} for EUR ${index}. `,
  'keys and values': (index) => `Key ${index}: value ${wordAt(index)}\n`,
  links: (index) => `[a${index}](#b${index}) ![](c${index}) http://a.b/${index} <a id="x${index}">\n`,
  commits: (index) =>
    `${mixed(index).toString(16).padStart(8, '0')} feat(api): add ${wordAt(index)} ${index}\n`,
  'a log': (index) =>
    `commit ${mixed(index).toString(16).padStart(8, '0')}\nAuthor: A\n\n    fix: ${wordAt(index)} ${index}\n\n    BREAKING CHANGE: ${index}\n\n`,
  code: (index) => `function f${index}(a, b) {\n  return a[${index}] + "b";\n}\n`,
  'brackets that close late': (index) => '([{'[index % 3] ?? '',
  'letters without a pattern': (index) => String.fromCharCode(97 + (mixed(index) % 26)),
  'Thai without a pattern': (index) => String.fromCharCode(0x0e01 + (mixed(index) % 46)),
  'Chinese without a pattern': (index) => String.fromCharCode(0x4e00 + (mixed(index) % 5_000)),
  'Chinese sentences': (index) =>
    `${String.fromCharCode(0x4e00 + (mixed(index) % 5_000)).repeat(2)}是${index}。`,
  'signs without a pattern': (index) => '.,;:-|_*#"\'[](){}<>`~\\/@$?!=+%&^ \n'.charAt(mixed(index) % 34),
  Conversation: (index) =>
    `Question ${index}: What is the ${wordAt(index)}? The ${wordAt(index)} is ${index}. `,
};

/** Texts with which regular expressions, rankings and searches have trouble, by what they are. */
export const HOSTILE_TEXTS: ReadonlyMap<string, TextOfLength> = new Map([
  ...Object.entries(NUMBERED).map(([name, piece]) => [name, numbered(piece)] as const),
  ...[...CHARACTERS, ...Object.values(UNITS).flat()].map(
    (unit) => [JSON.stringify(unit), repeated(unit)] as const,
  ),
]);

/** Those that find most faults, one or two of each kind, for a run that is over soon. */
export const COMMON_TEXTS: ReadonlyMap<string, TextOfLength> = new Map(
  [
    ...['a', ' ', '\n', '\t', '.', '#', '"', '[', '(', '\ud800', '🐝'].map((sign) => JSON.stringify(sign)),
    ...[
      ',\n',
      'a,b\n',
      '| ',
      '- ',
      '1,',
      '1 May ',
      'a@a.',
      'http://a.',
      'Ab, ',
      'one (1) ',
      '[1',
      '“A” means ',
    ].map((unit) => JSON.stringify(unit)),
    ...['e\u0301\u0316\u0327', '**A**\n\n'].map((unit) => JSON.stringify(unit)),
    ...[
      'different words',
      'sentences with small changes',
      'one endless sentence',
      'different short lines',
      'sections',
    ],
    ...[
      'lists of references',
      'citations of many',
      'obligations',
      'code',
      'a table of commas',
      'a table of pipes',
    ],
    ...[
      'nested lists',
      'Thai without a pattern',
      'Chinese sentences',
      'signs without a pattern',
      'keys and values',
    ],
  ].map((name) => [name, textNamed(name)] as const),
);

function textNamed(name: string): TextOfLength {
  const text = HOSTILE_TEXTS.get(name);
  if (text === undefined) {
    throw new Error(`there is no text ${name}`);
  }
  return text;
}
