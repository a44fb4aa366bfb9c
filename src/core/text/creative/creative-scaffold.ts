import type { CreativeWish, ScaffoldPart } from './creative-wish';
import { proseScaffold } from './prose-scaffold';
import { materialOf, shortened } from './scaffold-material';
import { isVerse, verseScaffold } from './verse-scaffold';

export interface CreativeScaffold {
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
