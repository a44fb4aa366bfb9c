import type { TextOrder } from '../../models/generation/text-order';
import { OUTLINE_ENGINE, OUTLINE_MODEL, storyOutline } from './story-outline';
import { storyMessages } from './story-prompt';
import { StoryReader } from './story-reader';
import type { StoryWish } from './story.entity';

/** What the embedded engine says of a story: that it is an outline. */
export type OutlineMark = 'outline';

/** A story that is wanted: as it is asked of a model, read from its answer, and made without one. */
export interface StoryOrder {
  readonly wish: StoryWish;
  readonly text: TextOrder<OutlineMark>;
  /** Reads what a model writes; it has the title then. */
  readonly reader: StoryReader;
}

/** Turns a wish into an order. A new one is needed for each call, because it reads one answer. */
export function storyOrder(
  wish: StoryWish,
  how: Pick<TextOrder<OutlineMark>, 'route' | 'temperature' | 'outputTokensMax'>,
): StoryOrder {
  const reader = new StoryReader();
  const { prompt, genre, tone, characters } = wish;
  const read = [
    prompt,
    genre ?? '',
    tone ?? '',
    ...characters.flatMap(({ name, description }) => [name, description ?? '']),
  ];
  const embedded = () =>
    Promise.resolve({
      text: storyOutline(wish),
      model: OUTLINE_MODEL,
      engine: OUTLINE_ENGINE,
      read,
      detail: 'outline' as const,
    });
  return { wish, reader, text: { ...how, messages: storyMessages(wish), reader, embedded } };
}
