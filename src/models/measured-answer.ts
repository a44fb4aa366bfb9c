import type { Meter, WatchedWork } from '../ledger/meter';
import type { TokenUse } from '../ledger/price-list';
import { isObject, jsonField, type JsonObject, objectsOf, partialJson, withMember } from '../runtime/json';
import type { TokenCounter } from '../text/token-counter';
import { mediaByModel, producedByMessage } from './message-text';
import type { CallProgress } from './model-provider';
import { ProducedText, reportedUse, responseUsageOf, usageOf, useOf } from './usage';

const PRODUCED = ['text', 'refusal', 'name', 'arguments', 'input', 'code', 'transcript'];

/**
 * The tokens of a whole answer of any of the APIs. Where its upstream reported none, the input is that of the reservation, and
 * the output is counted and bounded by it. Reported numbers may be absurd: the meter decides what it believes.
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

/** Unchanged to the byte where the upstream sent usage. */
export function withUsage(text: string, response: object, use: TokenUse): string {
  const { usage } = response as JsonObject;
  const isThere = isObject(usage) && reportedUse(usage).inputTokens !== null;
  return isThere ? text : withMember(text, 'usage', JSON.stringify(ownUsage(response as JsonObject, use)));
}

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

function textsOfOutput(output: readonly unknown[]): string[] {
  return output
    .flatMap((item) => [item, jsonField(item, 'content'), jsonField(item, 'summary')].flat())
    .flatMap((holder) => PRODUCED.map((name) => jsonField(holder, name)))
    .filter((text) => typeof text === 'string');
}

type Reserved = Pick<Meter, 'inputTokens' | 'outputTokensMax'>;

/**
 * What has been done for one request so far: it is told by the provider, and asked when the caller goes away. The input counts
 * from the moment at which the request was sent or the engine began to read it, the output as far as its bytes have come.
 */
export class AnswerSoFar implements CallProgress, WatchedWork {
  private isTaken = false;
  private pieces: Uint8Array[] = [];

  constructor(
    private readonly counter: TokenCounter,
    private readonly reserved: () => Promise<Reserved> | Reserved,
  ) {}

  taken(): void {
    this.isTaken = true;
    this.pieces = [];
  }

  received(bytes: Uint8Array): void {
    this.pieces.push(bytes);
  }

  dropped(): void {
    this.isTaken = false;
    this.pieces = [];
  }

  useSoFar(): Promise<TokenUse> | null {
    return this.isTaken ? this.useOf(this.pieces) : null;
  }

  private async useOf(pieces: readonly Uint8Array[]): Promise<TokenUse> {
    // With `stream` the bytes of a character whose last ones have not come are left out.
    const text = new TextDecoder().decode(Buffer.concat(pieces), { stream: true });
    const answer = partialJson(text);
    const reserved = await this.reserved();
    return isObject(answer)
      ? useOfAnswer(answer, reserved, this.counter)
      : { inputTokens: reserved.inputTokens, outputTokens: 0 };
  }
}
