import { countTokens } from '../../../src/text/count-tokens';
import type { LockStep } from '../ledger/lock-step';
import type { SeededRandom } from '../seeded-random';
import { dataEvent, streamReaction } from './upstream-answers';
import type { Reaction } from './upstream-reaction';

const WORDS = [
  'notice',
  ' period',
  ' three',
  ' months',
  ' ünder',
  ' 条款',
  ' 17',
  ',',
  ' agreed',
  '\n',
  ' unless',
];
const PIECES_MAX = 8;
/** Of each stream. */
export const OUTPUT_TOKENS_MAX = 64;

/** How a stream ends. `stalls` says nothing more until its time is over; `waits` goes on after a pause. */
export const FATES = [
  'completes',
  'is unmetered',
  'is left',
  'is reset',
  'is cut',
  'fails',
  'stalls',
  'waits',
] as const;
export type Fate = (typeof FATES)[number];

/** One stream: what its upstream writes, piece by piece, and what becomes of it. */
export interface StreamPlan {
  readonly fate: Fate;
  /** All text that is delivered. */
  readonly pieces: readonly string[];
  /** What the upstream says at the end; null where it does not come to that, or says nothing. */
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

export function randomPlan(random: SeededRandom): StreamPlan {
  const fate = random.pick(FATES);
  const pieces = Array.from({ length: random.between(1, PIECES_MAX) }, () => random.pick(WORDS));
  const usage = {
    prompt_tokens: random.between(0, 20),
    completion_tokens: random.between(0, OUTPUT_TOKENS_MAX),
  };
  return { fate, pieces, usage: fate === 'completes' || fate === 'waits' ? usage : null };
}

export function isComplete({ fate }: StreamPlan): boolean {
  return fate === 'completes' || fate === 'is unmetered' || fate === 'waits';
}

/** The tokens that such a stream is charged for. @param countedInput what was counted before it began */
export function tokensOf({ usage, pieces }: StreamPlan, countedInput: number): number {
  return usage
    ? Math.min(usage.prompt_tokens + usage.completion_tokens, countedInput + OUTPUT_TOKENS_MAX)
    : countedInput + countTokens(pieces.join(''));
}

export function bodyOf(plan: StreamPlan, stream: number): Record<string, unknown> {
  // Those that stall have an upstream of their own, which gives them little time.
  const model = plan.fate === 'stalls' ? 'hasty' : 'patient';
  const messages = [{ role: 'user', content: `Question ${stream}` }];
  return { model, messages, max_tokens: OUTPUT_TOKENS_MAX, stream: true, user: String(stream) };
}

/** @param lockStep lets every piece go, and then the end */
export function reactionOf({ fate, pieces, usage }: StreamPlan, lockStep: LockStep): Reaction {
  const chunk = (choices: unknown[], fields: object = {}) => dataEvent({ id: 'c', choices, ...fields });
  const texts = pieces.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }]));
  const usages = usage ? [chunk([], { usage })] : [];
  const ending = [chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]), ...usages, dataEvent('[DONE]')];
  switch (fate) {
    case 'completes':
    case 'is unmetered':
    case 'waits':
      return streamReaction([...texts, ...ending], { lockStep });
    case 'fails':
      return streamReaction([...texts, dataEvent({ error: { message: 'failed', code: 'failed' } })], {
        lockStep,
      });
    case 'is reset':
      return streamReaction(texts, { lockStep, end: 'reset' });
    case 'is cut':
      return streamReaction(texts, { lockStep, end: 'cut' });
    case 'is left':
    case 'stalls':
      return streamReaction(texts, { lockStep, end: 'silence' });
  }
}
