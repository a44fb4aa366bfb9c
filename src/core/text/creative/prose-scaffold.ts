import type { CreativeForm, CreativeLength, ScaffoldPart } from './creative-wish';
import type { Material } from './scaffold-material';

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
export function proseScaffold(form: ProseForm, length: CreativeLength, material: Material): ScaffoldPart[] {
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
