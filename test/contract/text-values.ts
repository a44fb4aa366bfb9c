import fc, { type Arbitrary } from 'fast-check';

interface TextSchema {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

/** Each one code point, though some are two code units and some are shown as part of the one before. */
const CODE_POINTS = [
  'a',
  'Z',
  '0',
  '_',
  '.',
  ' ',
  '\n',
  'é',
  'ß',
  '漢',
  '\u0301',
  '\ufe0f',
  '\u200d',
  '😀',
  '𝒳',
];
/** Text that no database stores. */
const BAD_TEXTS = ['a\0b', '\ud83d', '\ude00 a'];
/** Longer ones are made of one character repeated, and seldom. */
const LENGTH_MIXED_MAX = 1000;

/** Texts of each format, good and bad ones; a new format of the document needs its own. */
const FORMATS: Record<string, string[]> = {
  'date-time': [
    '2026-11-21T09:30:00Z',
    '2026-11-21T09:30:00.123+01:00',
    '2024-02-29t00:00:00z',
    '2026-02-29T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T09:30:60Z',
    '2026-11-21 09:30:00Z',
    '2026-11-21T09:30:00',
    '2026-11-21',
  ],
  // A file is validated as its name.
  binary: ['minutes.txt', 'a'],
  date: ['2026-11-21', '2024-02-29', '2026-02-29', '0000-01-01', '2026-11-21T09:30:00Z', '21.11.2026'],
  'date-or-date-time': [
    '2026-11-21',
    '2026-11-21T09:30:00Z',
    '2026-11-21T09:30',
    '2026-11-21 09:30:00.5+0200',
    '2026-02-30',
    '2026-13-01',
    '2026-11-21T',
    'yesterday',
  ],
  username: [
    'ada',
    'Ada_L.-7',
    'Zoë',
    'Zoe\u0308',
    'नमस्ते',
    '漢字仮名',
    'ab',
    'a b',
    'ﷺﷺﷺ',
    '\u0301ada',
    `${'a'.repeat(33)}`,
  ],
  email: [
    'ada@example.org',
    'a+b@example.co.uk',
    'ada@',
    '@example.org',
    'ada@localhost',
    `${'a'.repeat(300)}@example.org`,
  ],
  uri: [
    'https://example.org/a?b#c',
    'http://localhost:3000',
    'example.org',
    'https://',
    'javascript:alert(1)',
  ],
  uuid: [
    '0192f0c4-9c88-7e3f-a1d2-7b5c3e9f6d05',
    '0192F0C4-9C88-7E3F-A1D2-7B5C3E9F6D05',
    '0192f0c49c887e3fa1d27b5c3e9f6d05',
    'x',
  ],
  'time-zone': ['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'Mars/Olympus', '+02:00', ''],
};

/** Texts that a schema accepts or almost accepts, above all at the edges of its lengths. */
export function textsNear(schema: TextSchema): Arbitrary<string> {
  return fc.oneof(
    { weight: 16, arbitrary: properTexts(schema) },
    { weight: 2, arbitrary: textsAtTheEdges(schema) },
    { weight: 1, arbitrary: fc.constantFrom(...BAD_TEXTS) },
  );
}

function properTexts(schema: TextSchema): Arbitrary<string> {
  const { minLength = 0, maxLength = minLength + 8 } = schema;
  if (schema.format !== undefined) {
    const texts = FORMATS[schema.format];
    if (!texts) {
      throw new Error(`there are no texts of the format ${schema.format} to try`);
    }
    return fc.constantFrom(...texts);
  }
  if (schema.pattern !== undefined) {
    return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  }
  return fc.integer({ min: minLength, max: Math.min(maxLength, minLength + 8) }).chain(textsOfLength);
}

function textsAtTheEdges({ minLength = 0, maxLength = minLength + 8 }: TextSchema): Arbitrary<string> {
  const lengths = [minLength, maxLength, Math.max(0, minLength - 1), maxLength + 1];
  return fc.constantFrom(...lengths).chain(textsOfLength);
}

function textsOfLength(length: number): Arbitrary<string> {
  const character = fc.constantFrom(...CODE_POINTS);
  return length > LENGTH_MIXED_MAX
    ? character.map((text) => text.repeat(length))
    : fc
        .array(character, { minLength: length, maxLength: length, size: 'max' })
        .map((texts) => texts.join(''));
}
