import { STOP_WORDS } from '../../text/content-stems';
import { mayBeEnglish } from '../../text/detect-language';
import { keywords } from '../../text/keywords';
import { splitSentences } from '../../text/split-sentences';
import { syllablesOf } from '../../text/text-statistics';
import { wordList } from '../../text/word-list';
import { writtenWords } from '../../text/written-words';

/** The forms of text that are written for a caller, or prepared. */
export const CREATIVE_FORMS = wordList(
  'poem haiku limerick sonnet lyrics dialogue monologue scene slogan blurb',
);
export type CreativeForm = (typeof CREATIVE_FORMS)[number];

export type CreativeLength = 'short' | 'medium' | 'long';

/** A text that is wanted. Nothing but this is material. */
export interface CreativeWish {
  readonly form: CreativeForm;
  readonly prompt: string;
  readonly tone: string | null;
  readonly audience: string | null;
  /** The names of those who appear. */
  readonly names: readonly string[];
  readonly length: CreativeLength;
}

/** A part of a scaffold: a stanza, the turns of a dialogue. */
interface ScaffoldPart {
  readonly title: string;
  /** What belongs into each place, such as `Line 1: 5 syllables; material: “bee” (1 syllable)`. */
  readonly lines: readonly string[];
}

const KEYWORDS_MAX = 16;
const FACTS_MAX = 8;
/** In UTF-16 units. */
const FACT_LENGTH_MAX = 200;
const PLACEHOLDER_LENGTH_MAX = 80;
const ENDINGS_MAX = 6;
/** The last vowels of an English word and all that follows them, without an e that is not spoken. */
const ENDING = /(?:[aeiouy]+[^aeiouy]{1,5}e?|[aeiouy]+)$/u;

/** What the places of a scaffold are filled with: words and sentences of the caller's prompt, and names that were given. */
interface Material {
  /** The keyword whose turn it is, with its syllables where the prompt is English. */
  readonly word: (turn: number) => string;
  /** The sentence of the prompt whose turn it is. */
  readonly fact: (turn: number) => string;
  /** The name whose turn it is; null where none was given. */
  readonly name: (turn: number) => string | null;
  readonly names: readonly string[];
  /** Words of the prompt that end alike, best for rhymes, each group as one line. */
  readonly endings: readonly string[];
  /** Words of the prompt that begin alike, each group as one line. */
  readonly beginnings: readonly string[];
}

/** The same wish always has the same material. */
function materialOf({ prompt, names }: CreativeWish): Material {
  const isEnglish = mayBeEnglish(prompt);
  const facts = splitSentences(prompt)
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .slice(0, FACTS_MAX)
    .map(({ text }) => shortened(text, FACT_LENGTH_MAX));
  const found = keywords(prompt, KEYWORDS_MAX).map(({ text }) => text);
  const words = found.length > 0 ? found : facts.map((fact) => shortened(fact, PLACEHOLDER_LENGTH_MAX));
  const content = contentWords(prompt);
  const shown = names.map((name) => shortened(name, PLACEHOLDER_LENGTH_MAX));
  return {
    word: (turn) => wordShown(turnOf(words, turn) ?? '', isEnglish && found.length > 0),
    fact: (turn) => turnOf(facts, turn) ?? '',
    name: (turn) => turnOf(shown, turn) ?? null,
    names: shown,
    endings: isEnglish ? groupsBy(content, endingOf) : [],
    beginnings: groupsBy(content, (word) => /^\p{L}/u.exec(word)?.[0] ?? null),
  };
}

/** A text of the caller's in one line, so that it can't begin a line that looks like one of ours. */
export function shortened(text: string, lengthMax: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= lengthMax) {
    return line;
  }
  const whole = line.slice(0, lengthMax - 1).toWellFormed();
  return `${whole.replace(/�$/u, '')}…`;
}

function turnOf(list: readonly string[], turn: number): string | undefined {
  return list[turn % Math.max(1, list.length)];
}

function wordShown(word: string, isCounted: boolean): string {
  if (!isCounted) {
    return `“${word}”`;
  }
  const count = [...writtenWords(word)].reduce((sum, { text }) => sum + syllablesOf(text), 0);
  return `“${word}” (about ${count} ${count === 1 ? 'syllable' : 'syllables'})`;
}

function contentWords(prompt: string): string[] {
  const words = [...writtenWords(prompt)].map(({ text }) => text.toLowerCase());
  return [...new Set(words)].filter((word) => word.length > 2 && !STOP_WORDS.has(word));
}

function endingOf(word: string): string | null {
  const ending = ENDING.exec(word)?.[0] ?? null;
  return ending === null || ending.length < 2 ? null : ending;
}

function groupsBy(words: readonly string[], keyOf: (word: string) => string | null): string[] {
  const groups = new Map<string, string[]>();
  for (const word of words) {
    const key = keyOf(word);
    if (key !== null) {
      groups.set(key, [...(groups.get(key) ?? []).slice(0, 5), word]);
    }
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .slice(0, ENDINGS_MAX)
    .map((group) => group.join(', '));
}

type ProseForm = Exclude<CreativeForm, 'poem' | 'haiku' | 'limerick' | 'sonnet' | 'lyrics'>;
type Places = (material: Material, length: CreativeLength) => ScaffoldPart[];

const TURNS: Record<CreativeLength, number> = { short: 4, medium: 8, long: 12 };
/** What the turns of a dialogue do, in their order; the last two always end it. */
const MOVES = [
  'opens with what is on the mind',
  'answers with a question',
  'says what is wanted',
  'refuses, and gives a reason',
  'offers something else',
  'doubts it',
  'tells what was kept back until now',
  'is taken aback',
  'asks for a promise',
  'names a price',
];
const ENDING_MOVES = ['gives way or breaks off', 'has the last word'];

const dialogue: Places = ({ fact, name, word }, length) => {
  const moves = [...MOVES.slice(0, TURNS[length] - ENDING_MOVES.length), ...ENDING_MOVES];
  const speaker = (turn: number) => name(turn) ?? ['First speaker', 'Second speaker'][turn % 2] ?? '';
  const lines = moves.map((move, index) => `${speaker(index)}: ${move}; material: ${word(index)}`);
  return [
    { title: 'Occasion', lines: [`What they talk about: ${fact(0)}`] },
    { title: 'Turns', lines },
  ];
};

const monologue: Places = ({ fact, name, word }, length) => {
  const who = name(0) ?? 'The speaker';
  const lines = [
    `Address: to whom ${who} speaks, and why now`,
    `Matter: ${fact(0)}`,
    `Memory: where ${word(0)} began`,
    `Doubt: what speaks against it, by ${word(1)}`,
    `Turn: what ${who} understands while speaking`,
    `Decision: what happens with ${word(2)}`,
    'Last line: the first thought once more, changed',
  ];
  const kept = length === 'short' ? [0, 1, 4, 6] : [0, 1, 2, 3, 4, 5, 6];
  const further = length === 'long' ? furtherFacts(fact).map((each) => `Then: ${each}`) : [];
  return [{ title: 'Monologue', lines: [...kept.map((index) => lines[index] ?? ''), ...further] }];
};

const scene: Places = ({ fact, name, names, word }, length) => {
  const [one, other] = [name(0) ?? 'the main character', name(1) ?? 'the other'];
  const action = [
    `Entry: ${one} comes upon ${word(0)}`,
    `Want: what ${one} wants here`,
    `Obstacle: ${other} or ${word(1)} is in the way`,
    'Turn: what neither expected',
    `Exit: what is different for ${one}`,
  ];
  const further = length === 'short' ? [] : furtherFacts(fact).map((each) => `Also happens: ${each}`);
  return [
    {
      title: 'Setting',
      lines: [
        'Place and time: one detail each to see, to hear and to smell',
        `Present: ${names.length === 0 ? 'to be named' : names.join(', ')}`,
        `Event: ${fact(0)}`,
      ],
    },
    { title: 'Action', lines: [...action.slice(0, 3), ...further, ...action.slice(3)] },
  ];
};

const slogan: Places = ({ word, beginnings }) => [
  {
    title: 'Patterns, three to seven words each',
    lines: [
      `Promise: what ${word(0)} does for the reader`,
      `Command: a verb, then ${word(1)}`,
      `Contrast: ${word(0)}, without what people expect with it`,
      `Question: one that ${word(2)} answers`,
      `Pair: ${word(0)} and ${word(1)}, joined by one verb`,
    ],
  },
  ...(beginnings.length === 0 ? [] : [{ title: 'Words of the prompt that begin alike', lines: beginnings }]),
];

const blurb: Places = ({ fact, name, word }, length) => {
  const further = length === 'short' ? [] : furtherFacts(fact).map((each) => `Detail: ${each}`);
  return [
    {
      title: 'Blurb',
      lines: [
        `Hook: one sentence with ${word(0)}`,
        `Who or what: ${name(0) ?? fact(0)}`,
        `What happens: ${fact(0)}`,
        ...further,
        `At stake: what is lost without ${word(1)}`,
        'For whom: who will want this, and why',
        'Open end: a question that only the whole answers',
      ],
    },
  ];
};

const PLACES: Record<ProseForm, Places> = { dialogue, monologue, scene, slogan, blurb };

/** The parts of a form in prose: what each place does, with sentences, words and names of the wish as material. */
function proseScaffold(form: ProseForm, length: CreativeLength, material: Material): ScaffoldPart[] {
  return PLACES[form](material, length);
}

/** The sentences of the prompt after its first, each once. */
function furtherFacts(fact: Material['fact']): string[] {
  const found: string[] = [];
  for (let turn = 1; fact(turn) !== fact(0) && !found.includes(fact(turn)) && turn < 5; turn += 1) {
    found.push(fact(turn));
  }
  return found;
}

/** A stanza: how many syllables each line has, and the letter of its rhyme; a space for none. */
interface Stanza {
  readonly title: string;
  readonly syllables: readonly number[];
  readonly rhymes: string;
  /** What the stanza does; said before its lines. */
  readonly note?: string;
}

type VerseForm = Extract<CreativeForm, 'poem' | 'haiku' | 'limerick' | 'sonnet' | 'lyrics'>;

const STANZAS: Record<CreativeLength, number> = { short: 2, medium: 3, long: 5 };
const VERSES: Record<CreativeLength, number> = { short: 1, medium: 2, long: 3 };
const RHYME_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const STANZAS_OF: Record<VerseForm, (length: CreativeLength) => Stanza[]> = {
  haiku: () => [
    {
      title: 'Haiku',
      syllables: [5, 7, 5],
      rhymes: '   ',
      note: 'An image of one moment, a turn after the first or the second line, no rhyme.',
    },
  ],
  limerick: () => [
    {
      title: 'Limerick',
      syllables: [8, 8, 5, 5, 8],
      rhymes: 'AABBA',
      note: 'Who and where, then what went wrong.',
    },
  ],
  sonnet: () => [
    { title: 'Quatrain 1', syllables: [10, 10, 10, 10], rhymes: 'ABAB', note: 'The matter.' },
    { title: 'Quatrain 2', syllables: [10, 10, 10, 10], rhymes: 'CDCD', note: 'The matter, from nearer.' },
    { title: 'Quatrain 3', syllables: [10, 10, 10, 10], rhymes: 'EFEF', note: 'The turn: but, yet, then.' },
    { title: 'Couplet', syllables: [10, 10], rhymes: 'GG', note: 'What follows from it.' },
  ],
  poem: (length) =>
    Array.from({ length: STANZAS[length] }, (_, index) => {
      const [one, other] = [RHYME_LETTERS.charAt(2 * index), RHYME_LETTERS.charAt(2 * index + 1)];
      return { title: `Stanza ${index + 1}`, syllables: [8, 8, 8, 8], rhymes: one + other + one + other };
    }),
  lyrics: (length) => [
    ...Array.from({ length: VERSES[length] }, (_, index) => [
      { title: `Verse ${index + 1}`, syllables: [8, 8, 8, 8], rhymes: 'ABAB' },
      index === 0
        ? { title: 'Chorus', syllables: [6, 6, 6, 6], rhymes: 'CCDD', note: 'The same words each time.' }
        : { title: 'Chorus again', syllables: [], rhymes: '', note: 'Repeat the chorus.' },
    ]).flat(),
    ...(length === 'short'
      ? []
      : [
          { title: 'Bridge', syllables: [8, 8], rhymes: 'EE', note: 'What verses and chorus left out.' },
          {
            title: 'Last chorus',
            syllables: [],
            rhymes: '',
            note: 'Repeat the chorus; its last line may change.',
          },
        ]),
  ],
};

/** The stanzas of a form in verse: syllables and rhyme of each line, and a word of the prompt as its material. */
function verseScaffold(form: VerseForm, length: CreativeLength, material: Material): ScaffoldPart[] {
  let turn = 0;
  const stanzas = STANZAS_OF[form](length).map(({ title, syllables, rhymes, note }) => {
    const lines = syllables.map((count, index) => {
      const letter = rhymes.charAt(index).trim();
      const rhyme = letter === '' ? '' : `, rhyme ${letter}`;
      return `Line ${index + 1}: ${count} syllables${rhyme}; material: ${material.word(turn++)}`;
    });
    return { title, lines: [...(note === undefined ? [] : [note]), ...lines] };
  });
  const isRhymed = form !== 'haiku' && material.endings.length > 0;
  return isRhymed
    ? [...stanzas, { title: 'Words of the prompt that end alike', lines: material.endings }]
    : stanzas;
}

function isVerse(form: CreativeForm): form is VerseForm {
  return form in STANZAS_OF;
}

interface CreativeScaffold {
  readonly parts: ScaffoldPart[];
  /** The same as one text, which says in its first line what it is. */
  readonly text: string;
}

/** In UTF-16 units. */
const FIELD_LENGTH_MAX = 200;

/**
 * A scaffold of a form: what belongs into each place, with the words of the prompt as material. It is no text, and says so.
 * The same wish always gets the same scaffold.
 */
export function creativeScaffold(wish: CreativeWish): CreativeScaffold {
  const { form, length, tone, audience, names } = wish;
  const material = materialOf(wish);
  const parts = isVerse(form) ? verseScaffold(form, length, material) : proseScaffold(form, length, material);
  const head = [
    `Scaffold by rule (${form}), not a finished text`,
    ...(tone === null ? [] : [`Tone: ${shortened(tone, FIELD_LENGTH_MAX)}`]),
    ...(audience === null ? [] : [`Audience: ${shortened(audience, FIELD_LENGTH_MAX)}`]),
    ...(names.length === 0 ? [] : [`Names: ${material.names.join(', ')}`]),
  ];
  const blocks = parts.map(({ title, lines }) => [title, ...lines.map((line) => `- ${line}`)].join('\n'));
  return { parts, text: [head.join('\n'), ...blocks].join('\n\n') };
}
