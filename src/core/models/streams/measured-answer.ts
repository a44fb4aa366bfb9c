import type { TokenUse } from '../../money/pricing/price-list';
import { isObject, objectsOf, type JsonObject } from '../json/json-object';
import { withMember } from '../json/member-span';
import type { TokenCounter } from '../../text/tokens/token-counter';
import { ProducedText } from './produced-text';
import { producedByMessage } from './produced-by-message';
import { reportedUse, usageOf } from './reported-use';

/**
 * What a whole answer used: what its upstream says, and where that says nothing the reservation's input and the tokens of
 * its text.
 * @param inputTokens what was counted for the reservation
 */
export async function useOfAnswer(
  response: object,
  inputTokens: number,
  counter: TokenCounter,
): Promise<TokenUse> {
  const { usage, choices } = response as JsonObject;
  const reported = reportedUse(usage);
  return {
    inputTokens: reported.inputTokens ?? inputTokens,
    outputTokens: reported.outputTokens ?? (await producedTokens(objectsOf(choices), counter)),
  };
}

/** An upstream's text with the usage that it lacks; unchanged, to the byte, where it has one. */
export function withUsage(text: string, response: object, use: TokenUse): string {
  const { usage, object } = response as JsonObject;
  if (isObject(usage) && reportedUse(usage).inputTokens !== null) {
    return text;
  }
  const { prompt_tokens, completion_tokens, total_tokens } = usageOf(use);
  const own =
    object === 'list' ? { prompt_tokens, total_tokens } : { prompt_tokens, completion_tokens, total_tokens };
  return withMember(text, 'usage', JSON.stringify(own));
}

async function producedTokens(choices: readonly JsonObject[], counter: TokenCounter): Promise<number> {
  const produced = new ProducedText(choices.length);
  choices.forEach((choice, index) => {
    const own = typeof choice.text === 'string' ? [choice.text] : [];
    [...own, ...producedByMessage(choice.message)].forEach((text) => produced.add(index, text));
  });
  return produced.tokens(counter);
}
