import { isObject, jsonField, objectsOf, type JsonObject } from '../../../infrastructure/json/json-object';
import { withMember } from '../../../infrastructure/json/member-span';
import type { TokenUse } from '../../money/pricing/price-list';
import type { TokenCounter } from '../../text/tokens/token-counter';
import { producedByMessage } from '../said-by-model';
import { ProducedText } from './produced-text';
import { reportedUse, responseUsageOf, usageOf, useOf } from './reported-use';

/** The members of a response's output item, or of a part of one, that a model produced and that is paid for. */
const PRODUCED = ['text', 'refusal', 'name', 'arguments', 'input', 'code'];

/**
 * What a whole answer of any of the APIs used: what its upstream says, and where that says nothing the reservation's input
 * and the tokens of what it holds.
 * @param inputTokens what was counted for the reservation
 */
export async function useOfAnswer(
  response: object,
  inputTokens: number,
  counter: TokenCounter,
): Promise<TokenUse> {
  const { usage } = response as JsonObject;
  return useOf(reportedUse(usage), {
    inputTokens: () => inputTokens,
    outputTokens: () => producedText(response as JsonObject).tokens(counter),
  });
}

/** An upstream's text with the usage that it lacks; unchanged, to the byte, where it has one. */
export function withUsage(text: string, response: object, use: TokenUse): string {
  const { usage } = response as JsonObject;
  const isThere = isObject(usage) && reportedUse(usage).inputTokens !== null;
  return isThere ? text : withMember(text, 'usage', JSON.stringify(ownUsage(response as JsonObject, use)));
}

/** The usage for an answer that lacks it, in the form of its API. */
function ownUsage({ object, choices, output }: JsonObject, use: TokenUse): object {
  if (!Array.isArray(choices) && Array.isArray(output)) {
    return responseUsageOf(use);
  }
  const { prompt_tokens, completion_tokens, total_tokens } = usageOf(use);
  return object === 'list'
    ? { prompt_tokens, total_tokens }
    : { prompt_tokens, completion_tokens, total_tokens };
}

function producedText({ choices, output }: JsonObject): ProducedText {
  const chosen = objectsOf(choices);
  const produced = new ProducedText(chosen.length);
  chosen.forEach((choice, index) => {
    const own = typeof choice.text === 'string' ? [choice.text] : [];
    [...own, ...producedByMessage(choice.message)].forEach((text) => produced.add(index, text));
  });
  if (!Array.isArray(choices) && Array.isArray(output)) {
    textsOfOutput(output).forEach((text) => produced.add(0, text));
  }
  return produced;
}

/** The texts of a response's output items and of their parts. */
function textsOfOutput(output: readonly unknown[]): string[] {
  return output
    .flatMap((item) => [item, jsonField(item, 'content'), jsonField(item, 'summary')].flat())
    .flatMap((holder) => PRODUCED.map((name) => jsonField(holder, name)))
    .filter((text) => typeof text === 'string');
}
