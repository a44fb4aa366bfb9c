import { isObject } from '../../../infrastructure/json/json-object';
import { partialJson } from '../../../infrastructure/json/partial-json';
import type { Meter, WatchedWork } from '../../money/pricing/meter';
import type { TokenUse } from '../../money/pricing/price-list';
import type { TokenCounter } from '../../text/tokens/token-counter';
import type { CallProgress } from '../model-provider';
import { useOfAnswer } from './measured-answer';

type Reserved = Pick<Meter, 'inputTokens' | 'outputTokensMax'>;

/**
 * What an upstream, or the embedded engine, has done for one request so far: it is told by the provider, and asked when the
 * caller goes away. The input counts from the moment at which the request was sent or the engine began to read it, the output
 * as far as the answer's bytes have come, of which an engine has none before its end.
 */
export class AnswerSoFar implements CallProgress, WatchedWork {
  private isTaken = false;
  private pieces: Uint8Array[] = [];

  /** @param reserved for the request: its input counts where the upstream has not reported any, its output at most */
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
