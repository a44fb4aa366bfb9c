import type { TokenUse } from '../../money/pricing/price-list';
import { withMember } from '../json/member-span';
import { ProducedText } from '../streams/produced-text';
import { reportedUse } from '../streams/reported-use';
import type { TokenCounter } from '../../text/tokens/token-counter';
import { jsonField } from './json-field';
import type { ResponseObject, ResponseUsage } from './response-object';

/** The members of an output item, or of a part of one, that a model produced and that is paid for. */
const PRODUCED = ['text', 'refusal', 'name', 'arguments', 'input', 'code'];

/**
 * What a response used: what its usage says, and where that says nothing the reservation's input and the tokens of its
 * output.
 * @param inputTokens what was counted for the reservation
 */
export async function useOfResponse(
  { usage, output }: ResponseObject,
  inputTokens: number,
  counter: TokenCounter,
): Promise<TokenUse> {
  const reported = reportedUse(usage);
  return {
    inputTokens: reported.inputTokens ?? inputTokens,
    outputTokens: reported.outputTokens ?? (await producedTokens(output, counter)),
  };
}

/** The usage of a response whose provider told none. */
export function countedUsage({ inputTokens, outputTokens }: TokenUse): ResponseUsage {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** An upstream's text with the usage that it lacks, everything else as it was. */
export function withCountedUsage(text: string, use: TokenUse): string {
  return withMember(text, 'usage', JSON.stringify(countedUsage(use)));
}

async function producedTokens(output: readonly unknown[], counter: TokenCounter): Promise<number> {
  const produced = new ProducedText();
  for (const item of output) {
    const parts = ['content', 'summary'].flatMap((list) => jsonField(item, list) ?? []);
    for (const holder of [item, ...parts]) {
      PRODUCED.map((name) => jsonField(holder, name))
        .filter((text) => typeof text === 'string')
        .forEach((text) => produced.add(0, text));
    }
  }
  return produced.tokens(counter);
}
