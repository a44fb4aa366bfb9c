import type { UpstreamSettings } from '../../config/upstream-settings';
import type { JsonObject } from '../../runtime/json';
import type { InputMessage, MessageRequest } from '../messages/message-object';
import type { CallOptions } from '../model-provider';

/** Beside the headers of every request to an upstream; null for one of those that is left out. */
export interface SentHeaders {
  readonly sentHeaders?: Readonly<Record<string, string | null>>;
}

/** Where the caller names no version. Anthropic refuses requests without one. */
const VERSION = '2023-06-01';
const BETAS = 'anthropic-beta';
/** These let a request cost more than its tokens, so that they are kept back unless the operator has priced the header. */
const COSTING_BETA = /^(?:context-1m|fast-mode)/;

/** The key and the caller's own headers as an upstream reads them that speaks Anthropic's Messages API. */
export function forMessages(
  { messagesKey, apiKey, passFields }: UpstreamSettings,
  { headers: sent = {}, ...options }: CallOptions,
): CallOptions & SentHeaders {
  const betas = (sent[BETAS] ?? '').split(',').map((beta) => beta.trim());
  const isPriced = passFields?.has(BETAS) === true;
  const passed = betas.filter((beta) => beta !== '' && (isPriced || !COSTING_BETA.test(beta)));
  return {
    ...options,
    sentHeaders: {
      'anthropic-version': sent['anthropic-version'] ?? VERSION,
      [BETAS]: passed.length > 0 ? passed.join(',') : null,
      ...(messagesKey === 'x-api-key' && { 'x-api-key': apiKey, authorization: null }),
    },
  };
}

/** Without the thoughts that a chat told in place of a message: they have no signature, and the API refuses them. */
export function asSigned({ messages, ...request }: MessageRequest): MessageRequest {
  const signed = ({ content, ...message }: InputMessage): InputMessage => ({
    ...message,
    content: Array.isArray(content) ? content.filter(isSigned) : content,
  });
  return { ...request, messages: messages.map(signed) };
}

function isSigned({ type, signature }: JsonObject): boolean {
  return type !== 'thinking' || Boolean(signature);
}
