import type { GenerateStoryRequest, Story } from '../../../generated/types';
import type { StoryRecord, StoryWish } from '../../core/knowledge/stories/story.entity';

export function toWish(body: GenerateStoryRequest): StoryWish {
  return {
    prompt: body.prompt,
    genre: body.genre ?? null,
    characters: (body.characters ?? []).map(({ name, description }) => ({
      name,
      description: description ?? null,
    })),
    length: body.length ?? 'medium',
    tone: body.tone ?? null,
  };
}

export function toStory(record: StoryRecord): Story {
  const { inputTokens, outputTokens } = record;
  return {
    id: record.id,
    title: record.title,
    kind: record.kind,
    text: record.content,
    acts: record.acts.map(({ title, beats }) => ({ title, beats: [...beats] })),
    prompt: record.prompt,
    genre: record.genre,
    characters: record.characters.map(({ name, description }) => ({ name, description })),
    length: record.length,
    tone: record.tone,
    model: record.model,
    finish_reason: record.finishReason,
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    created_at: record.createdAt.toISOString(),
  };
}
