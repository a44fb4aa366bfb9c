/** An OpenAI-compatible server that UPSTREAMS names. */
export interface UpstreamSettings {
  name: string;
  /** The address up to and including the version, without a slash at its end: `https://api.example.com/v1`. */
  baseUrl: string;
  apiKey: string | null;
  /** Null where the models are those that the upstream lists itself. */
  models: readonly UpstreamModel[] | null;
  /** The most tokens of a part by its kind, for models that are not named; absent where none is priced. */
  partTokens?: ReadonlyMap<string, number>;
  /** The fields beyond tokens that are passed on, each with its decimal price in USD a call; absent for none. */
  passFields?: ReadonlyMap<string, string>;
  connectTimeoutMs: number;
  firstByteTimeoutMs: number;
  totalTimeoutMs: number;
}

export interface UpstreamModel {
  id: string;
  /** Other names by which callers may ask for the model. The upstream is always sent the id. */
  aliases: readonly string[];
  /** Decimal string, USD. Null where the operation's own price is charged. Either both prices are set or neither. */
  inputPricePerTokenUsd: string | null;
  outputPricePerTokenUsd: string | null;
  /** The most tokens of a part by its kind; absent where none is priced. */
  partTokens?: ReadonlyMap<string, number>;
}
