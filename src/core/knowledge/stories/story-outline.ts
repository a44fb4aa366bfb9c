import { splitSentences } from '../../text/split-sentences';
import type { StoryAct, StoryLength, StoryWish } from './story.entity';

/** The name under which the embedded engine makes outlines. */
export const OUTLINE_MODEL = 'embedded-outline-1';
export const OUTLINE_ENGINE = { provider: 'embedded', method: 'outline', quality: 'basic' };

/** In UTF-16 units. So much of a prompt has more sentences than any outline has beats. */
const PROMPT_READ_MAX = 4_000;
const SENTENCE_LENGTH_MAX = 200;
const DESCRIPTION_LENGTH_MAX = 160;
const NOBODY = 'the main character';

/** What the beats are made of: the sentences of the prompt, and the names of the characters. */
interface Material {
  readonly facts: readonly string[];
  /** The name whose turn it is; the same beat of the same wish always names the same. */
  readonly who: (turn: number) => string;
  readonly genre: string;
  readonly tone: string;
}

type Beat = (material: Material) => string[];

/**
 * An outline made by rule, in which only the prompt and the names supplied are anybody's words. The same wish always gets
 * the same outline. Its lines `Act 1: …` and `- …` are what outlineActs reads.
 */
export function storyOutline(wish: StoryWish): string {
  const { genre, tone, characters, length } = wish;
  const material = materialOf(wish);
  const head = [
    'Outline by rule, no prose',
    ...(genre === null ? [] : [`Genre: ${oneLine(genre)}`]),
    ...(tone === null ? [] : [`Tone: ${oneLine(tone)}`]),
    ...(characters.length === 0 ? [] : [`Characters: ${characters.map(introduction).join('; ')}`]),
  ];
  const acts = ACTS[length].map(({ title, beats }, index) => {
    const lines = beats.flatMap((beat) => beat(material)).map((beat) => `- ${beat}`);
    return [`Act ${index + 1}: ${title}`, ...lines].join('\n');
  });
  return [head.join('\n'), ...acts].join('\n\n');
}

/** The acts in the text of an outline, which may have been cut off anywhere. */
export function outlineActs(text: string): StoryAct[] {
  const acts: { title: string; beats: string[] }[] = [];
  for (const line of text.split('\n')) {
    const title = /^Act \d+: (.+)$/u.exec(line)?.[1];
    const beat = /^- (.+)$/u.exec(line)?.[1];
    if (title !== undefined) {
      acts.push({ title, beats: [] });
    } else if (beat !== undefined) {
      acts.at(-1)?.beats.push(beat);
    }
  }
  return acts;
}

const opening: Beat = ({ who }) => [`Opening: an ordinary day of ${who(0)}, and what is missing in it.`];
const event: Beat = ({ facts }) => [`Event: ${facts[0] ?? 'what begins the story.'}`];
const furtherEvents: Beat = ({ facts }) => facts.slice(1, 4).map((fact) => `Then: ${fact}`);
const goal: Beat = ({ who }) => [`Goal: what ${who(0)} wants from now on, and why it cannot wait.`];
const refusal: Beat = ({ who }) => [`Doubt: ${who(1)} would rather leave it alone.`];
const obstacle: Beat = ({ who }) => [`Obstacle: the first attempt of ${who(0)} fails.`];
const ally: Beat = ({ who }) => [`Help: ${who(1)} takes a side.`];
const secret: Beat = ({ who }) => [`Discovery: ${who(2)} finds out something that changes the goal.`];
const turn: Beat = ({ genre }) => [`Turning point: the one that ${genre} calls for.`];
const loss: Beat = ({ who }) => [`Loss: ${who(0)} loses what seemed safe.`];
const lowest: Beat = ({ who, tone }) => [`Lowest point: ${who(1)} gives up, told ${tone}.`];
const choice: Beat = ({ who }) => [`Choice: ${who(0)} decides what matters more.`];
const climax: Beat = ({ who, facts }) => [
  `Climax: ${who(0)} faces what began with “${facts[0] ?? 'the event'}”`,
];
const price: Beat = ({ who }) => [`Price: what it costs ${who(2)}.`];
const outcome: Beat = ({ who }) => [`Outcome: what ${who(0)} has gained or lost.`];
const ending: Beat = ({ tone }) => [`Last image: the opening once more, changed, told ${tone}.`];

const ACTS: Record<StoryLength, readonly { title: string; beats: readonly Beat[] }[]> = {
  short: [
    { title: 'Setup', beats: [opening, event] },
    { title: 'Confrontation', beats: [obstacle, turn] },
    { title: 'Resolution', beats: [climax, ending] },
  ],
  medium: [
    { title: 'Setup', beats: [opening, event, furtherEvents, goal] },
    { title: 'Confrontation', beats: [obstacle, ally, turn, lowest] },
    { title: 'Resolution', beats: [choice, climax, outcome, ending] },
  ],
  long: [
    { title: 'Setup', beats: [opening, event, furtherEvents, goal, refusal] },
    { title: 'Complication', beats: [obstacle, ally, secret] },
    { title: 'Crisis', beats: [turn, loss, lowest] },
    { title: 'Climax', beats: [choice, climax, price] },
    { title: 'Resolution', beats: [outcome, ending] },
  ],
};

function materialOf({ prompt, genre, tone, characters }: StoryWish): Material {
  const names = characters.map(({ name }) => oneLine(name));
  return {
    facts: splitSentences(prompt.slice(0, PROMPT_READ_MAX)).map(({ text }) =>
      cut(oneLine(text), SENTENCE_LENGTH_MAX),
    ),
    who: (turnNumber) => names[turnNumber % names.length] ?? NOBODY,
    genre: genre === null ? 'the story' : `the genre (${oneLine(genre)})`,
    tone: tone === null ? 'plainly' : `in the tone asked for (${oneLine(tone)})`,
  };
}

function introduction({ name, description }: StoryWish['characters'][number]): string {
  return description === null
    ? oneLine(name)
    : `${oneLine(name)} (${cut(oneLine(description), DESCRIPTION_LENGTH_MAX)})`;
}

/** A text of the caller's must not begin a line of its own, which could look like an act. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** At most so many characters, without half of a surrogate pair at the end. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax
    ? text
    : `${text
        .slice(0, lengthMax - 1)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}…`;
}
