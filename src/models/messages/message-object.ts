import type { MessageBlock } from '../../../generated/types';
import { isObject, objectsOf } from '../../runtime/json';

export type { MessageBlock };

/** Fields that this service does not know stay in the object. Source: Anthropic's API reference, "Messages". */
export interface MessageRequest {
  readonly model: string;
  readonly messages: readonly InputMessage[];
  readonly max_tokens: number;
  readonly system?: string | readonly InputBlock[] | null;
  readonly [field: string]: unknown;
}

export interface InputMessage {
  readonly role: string;
  readonly content: string | readonly InputBlock[];
  readonly [field: string]: unknown;
}

export interface InputBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface MessageObject {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: MessageBlock[];
  stop_reason: string | null;
  stop_sequence: string | null;
  /** Null where the provider did not count. */
  usage: MessageUsage | null;
  [field: string]: unknown;
}

/** Tokens that were read from or written to a cache are not among the `input_tokens`. */
export interface MessageUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  [field: string]: unknown;
}

export const MESSAGE_STOP = 'message_stop';

/** Also of a piece of a block, and all that is paid for. */
export function producedByBlocks(blocks: unknown): string[] {
  return objectsOf(blocks).flatMap(({ text, thinking, name, input, partial_json: piece }) => {
    const given = isObject(input) && Object.keys(input).length > 0 ? [JSON.stringify(input)] : [];
    const texts = [text, thinking, name, piece].filter((one) => typeof one === 'string' && one !== '');
    return [...(texts as string[]), ...given];
  });
}
