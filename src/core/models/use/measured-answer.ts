import { isObject, jsonField, objectsOf, type JsonObject } from '../../../infrastructure/json/json-object';
import { withMember } from '../../../infrastructure/json/member-span';
import type { Meter } from '../../money/pricing/meter';
import type { TokenUse } from '../../money/pricing/price-list';
import type { TokenCounter } from '../../text/tokens/token-counter';
import { mediaByModel, producedByMessage } from '../said-by-model';
import { ProducedText } from './produced-text';
import { reportedUse, responseUsageOf, usageOf, useOf } from './reported-use';

/** The members of a response's output item, or of a part of one, whose text a model produced and that is paid for. */
const PRODUCED = ['text', 'refusal', 'name', 'arguments', 'input', 'code', 'transcript'];

/**
 * The tokens that a whole answer of any of the APIs used, as its upstream reported them. Where it reported none, the
 * input is that of the reservation, and the output is counted and bounded by it. Reported numbers may be absurd: the
 * meter decides what of them it believes.
 */
export async function useOfAnswer(
  response: object,
  reserved: Pick<Meter, 'inputTokens' | 'outputTokensMax'>,
  counter: TokenCounter,
): Promise<TokenUse> {
  const { usage } = response as JsonObject;
  return useOf(reportedUse(usage), {
    inputTokens: () => reserved.inputTokens,
    outputTokens: async () =>
      Math.min(await producedText(response as JsonObject).tokens(counter), reserved.outputTokensMax),
  });
}

/** The JSON text of an answer with `use` as its usage; unchanged to the byte where its upstream sent usage. */
export function withUsage(text: string, response: object, use: TokenUse): string {
  const { usage } = response as JsonObject;
  const isThere = isObject(usage) && reportedUse(usage).inputTokens !== null;
  return isThere ? text : withMember(text, 'usage', JSON.stringify(ownUsage(response as JsonObject, use)));
}

/** The usage object for an answer that has none, in the form of the answer's API. */
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
    produced.addMedia(mediaByModel(choice.message));
  });
  if (!Array.isArray(choices) && Array.isArray(output)) {
    textsOfOutput(output).forEach((text) => produced.add(0, text));
    output
      .flatMap((item) => objectsOf(jsonField(item, 'content')))
      .forEach((audio) => produced.addMedia(mediaByModel({ audio })));
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
