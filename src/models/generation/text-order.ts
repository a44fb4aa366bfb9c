import type { Meter, TokenUse } from '../../ledger/money';
import type { ChatMessage, Engine } from '../model-provider';
import type { ModelRoute } from '../models';

/** Of a text, as its caller asks for it. */
export interface TextTerms {
  /** The result of Models.route for `chat`. Its stand-in says whether and when the embedded method answers. */
  readonly route: ModelRoute;
  readonly temperature: number | null;
  /** The most output tokens of the text; the embedded method's text is cut to it too. */
  readonly outputTokensMax: number;
  /** Whether the service has chosen `outputTokensMax`, so that a model may be too small for it; absent means no. */
  readonly isOutputOpen?: boolean;
}

export interface TextOrder<Detail> extends TextTerms {
  readonly messages: readonly ChatMessage[];
  readonly reader: PieceReader | null;
  /** Makes the text without any model; null where only a model can. It may be asked after an upstream has failed. */
  readonly embedded: ((signal: AbortSignal) => Promise<EmbeddedText<Detail>>) | null;
}

/** All that a reader gives, joined, is the text. It reads one answer. */
export interface PieceReader {
  /** '' while it is not yet known what the answer so far means. */
  push(piece: string): string;
  end(): string;
}

/** Before it is cut to the output tokens of its order. */
export interface EmbeddedText<Detail> {
  readonly text: string;
  readonly model: string;
  readonly engine: Engine;
  /** Its tokens are the input. */
  readonly read: readonly string[];
  /** Whether it says only that it has no answer, for which the base price alone is paid. */
  readonly isRefusal: boolean;
  readonly detail: Detail;
}

export interface GeneratedText<Detail> {
  readonly text: string;
  readonly model: string;
  readonly finishReason: string | null;
  readonly use: TokenUse;
  /** What the embedded method knows about it; null where an upstream wrote it. */
  readonly detail: Detail | null;
}

export interface TextStream<Detail> {
  /** The pieces of the text, none of them empty. Throws UpstreamBrokeOff, and the signal's reason when it aborts. */
  pieces(): AsyncIterable<string>;
  use(): Promise<TokenUse>;
  /** Once `pieces` has ended. Its use has been reported to the call's meter. */
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
