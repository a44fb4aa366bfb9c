import type { CreativeForm, CreativeLength, ScaffoldPart } from './creative-wish';
import type { Material } from './scaffold-material';

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
export function verseScaffold(form: VerseForm, length: CreativeLength, material: Material): ScaffoldPart[] {
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

export function isVerse(form: CreativeForm): form is VerseForm {
  return form in STANZAS_OF;
}
