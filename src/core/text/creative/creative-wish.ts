/** The forms of text that are written for a caller, or prepared. */
export const CREATIVE_FORMS = [
  'poem',
  'haiku',
  'limerick',
  'sonnet',
  'lyrics',
  'dialogue',
  'monologue',
  'scene',
  'slogan',
  'blurb',
] as const;
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
export interface ScaffoldPart {
  readonly title: string;
  /** What belongs into each place, such as `Line 1: 5 syllables; material: “bee” (1 syllable)`. */
  readonly lines: readonly string[];
}
