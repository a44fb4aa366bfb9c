import type { EntityType, FoundEntity } from '../../../../generated/types';
import type { AnswerTask } from '../../../core/models/generation/answer-task';
import { PromptTemplate } from '../../../core/models/structured/prompt-template';
import { entitiesIn } from '../../../core/text/analysis/entities';
import { withoutOverlaps } from '../../../core/text/analysis/places';
import { quoteFaults, quotePlaces } from '../../../core/text/quotes-in';
import type { TextThreads } from '../../../core/text/threads/text-threads';
import type { Result } from './processing.task';

const TYPES: readonly EntityType[] = [
  ...(['person', 'organization', 'location', 'date', 'time', 'duration'] as const),
  ...(['money', 'percentage', 'email', 'url', 'phone', 'identifier'] as const),
];
const TEMPLATE = new PromptTemplate(
  'Find the entities of these types in this text: {{types}}.\n{{text}}\nGive each one word for word as it stands in the text, once.',
);
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['entities'],
  properties: {
    entities: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'text'],
        properties: {
          type: { type: 'string', enum: TYPES },
          text: { type: 'string', minLength: 1, maxLength: 500 },
        },
      },
    },
  },
};

interface ToldEntities {
  readonly entities: readonly { readonly type: EntityType; readonly text: string }[];
}

/** @param wanted which types; null for all */
export function entitiesTask(
  text: string,
  wanted: readonly EntityType[] | null,
  threads: TextThreads,
): AnswerTask<Result> {
  const types = wanted ?? TYPES;
  return {
    question: {
      template: TEMPLATE,
      variables: { text, types: types.join(', ') },
      name: 'entities',
      schema: SCHEMA,
      check: ({ entities }: ToldEntities) =>
        quoteFaults(
          entities.map((entity) => entity.text),
          text,
        ),
      read: (told: ToldEntities) => ({ type: 'entities', entities: placedEntities(told, types, text) }),
    },
    embedded: {
      method: 'rules',
      answer: async (signal) => {
        const found = await threads.run('findEntities', text, [text], signal);
        return { type: 'entities', entities: found.filter(({ type }) => types.includes(type)) };
      },
    },
    reads: [text],
  };
}

/** The entities where they stand first, with the values that the rules read in them: a model's own are not trusted. */
function placedEntities(
  { entities }: ToldEntities,
  types: readonly EntityType[],
  text: string,
): FoundEntity[] {
  const asked = entities.filter(({ type }) => types.includes(type));
  const places = quotePlaces(
    asked.map((entity) => entity.text),
    text,
  );
  const placed = asked.flatMap(({ type }, index) => {
    const place = places[index];
    return place ? [{ type, ...place, value: valueOf(type, place.text) }] : [];
  });
  return withoutOverlaps(placed);
}

function valueOf(type: EntityType, written: string): string | null {
  return entitiesIn(written).find((entity) => entity.type === type)?.value ?? null;
}
