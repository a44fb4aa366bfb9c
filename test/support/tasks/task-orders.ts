import { EMBEDDED_EMBEDDING_MODEL } from '../../../src/models/embedded-provider';
import { EMBEDDED_CHAT_MODEL } from '../../../src/text/extractive-answer';
import type { SeededRandom } from '../seeded-random';
import type { TaskType } from './task-scene';
import { chatParameters } from './task-upstream';

/** What a client submits. */
export interface TaskOrder {
  task_type: TaskType;
  parameters: Record<string, unknown>;
  priority?: 'low' | 'normal' | 'high' | 'urgent';
}

const SLOW_MS = { from: 50, to: 500 };

/** How often each kind of task comes, and what it is. `name` is the task's own. */
const KINDS: readonly [number, (random: SeededRandom, name: string) => TaskOrder][] = [
  [3, (_, name) => ({ task_type: 'createMemory', parameters: { key: name, value: 'v' } })],
  [2, (_, name) => ({ task_type: 'createAgent', parameters: { name } })],
  [2, (_, name) => ({ task_type: 'createEmbedding', parameters: embedding(name) })],
  [
    2,
    (_, name) => ({
      task_type: 'indexRagDocument',
      parameters: { content: `Of ${name}. It is indexed once.` },
    }),
  ],
  [2, (_, name) => ({ task_type: 'indexSearchItems', parameters: { items: [{ content: `Of ${name}` }] } })],
  [2, () => ({ task_type: 'createChatCompletion', parameters: embeddedChat() })],
  [6, (random) => ({ task_type: 'createChatCompletion', parameters: slowChat(random) })],
  [1, () => ({ task_type: 'createChatCompletion', parameters: chatParameters('a refusal') })],
  [1, () => ({ task_type: 'chatWithAgent', parameters: nobodysChat() })],
];
const TOTAL = KINDS.reduce((sum, [share]) => sum + share, 0);

/** A task of any kind: fast ones of embedded engines, slow ones of an upstream, and some that fail. */
export function randomOrder(random: SeededRandom, name: string): TaskOrder {
  let place = random.between(1, TOTAL);
  const [, make] = KINDS.find(([share]) => (place -= share) <= 0) ?? [];
  if (!make) {
    throw new RangeError('no kind of task is left');
  }
  return { ...make(random, name), priority: random.pick(['low', 'normal', 'high', 'urgent']) };
}

function embedding(input: string): Record<string, unknown> {
  return { model: EMBEDDED_EMBEDDING_MODEL, input };
}

function embeddedChat(): Record<string, unknown> {
  const content = 'Paris is the capital of France. What is the capital of France?';
  return { model: EMBEDDED_CHAT_MODEL, messages: [{ role: 'user', content }], max_tokens: 64 };
}

function slowChat(random: SeededRandom): Record<string, unknown> {
  return chatParameters(`within ${random.between(SLOW_MS.from, SLOW_MS.to)}`);
}

function nobodysChat(): Record<string, unknown> {
  return { agent_id: 'nobody', messages: [{ role: 'user', content: 'Hello?' }] };
}
