import type { Meter, TokenUse } from '../../ledger/money';
import type { ChatMessage, Engine } from '../model-provider';
import type { ModelRoute } from '../models';

export interface TextTerms {
  /** The result of Models.route for `chat`. Its stand-in decides whether and when the embedded method answers. */
  readonly route: ModelRoute;
  readonly temperature: number | null;
  readonly outputTokensMax: number;
  /** The service has chosen `outputTokensMax`, so that a model may be too small for it; absent means no. */
  readonly isOutputOpen?: boolean;
}

export interface TextOrder<Detail> extends TextTerms {
  readonly messages: readonly ChatMessage[];
  readonly reader: PieceReader | null;
  /** Makes the text without a model, also after an upstream has failed; null where only a model can. */
  readonly embedded: ((signal: AbortSignal) => Promise<EmbeddedText<Detail>>) | null;
}

/** Reads one answer. All that it returns, joined, is the text. */
export interface PieceReader {
  push(piece: string): string;
  end(): string;
}

export interface EmbeddedText<Detail> {
  readonly text: string;
  readonly model: string;
  readonly engine: Engine;
  readonly read: readonly string[];
  /** The text only says that there is no answer: just the base price is paid. */
  readonly isRefusal: boolean;
  readonly detail: Detail;
}

export interface GeneratedText<Detail> {
  readonly text: string;
  readonly model: string;
  readonly finishReason: string | null;
  readonly use: TokenUse;
  readonly detail: Detail | null;
}

export interface TextStream<Detail> {
  /** The pieces of the text, none of them empty. Throws UpstreamBrokeOff, and the signal's reason when it aborts. */
  pieces(): AsyncIterable<string>;
  use(): Promise<TokenUse>;
  /** Only after `pieces` has ended. Its use has been reported to the call's meter. */
  whole(): Promise<GeneratedText<Detail>>;
}

export interface TextCall {
  readonly signal: AbortSignal;
  readonly meter: Meter;
  setHeader(name: string, value: string): void;
  setEngine(engine: Engine): void;
}

export interface TextBound {
  readonly inputTokens: number;
  readonly outputTokensMax: number;
  /** The id of the model that is asked first, which may have a price of its own. */
  readonly model: string;
}
