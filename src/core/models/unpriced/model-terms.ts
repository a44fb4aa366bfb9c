/** What the operator of this service has priced, for one model of an upstream, beyond tokens of text and images. */
export interface ModelTerms {
  /**
   * The most tokens of one part, by its kind: `image`, `image_low`, `audio`, `video`, `file`, or the type of any other
   * part.
   */
  readonly partTokens: ReadonlyMap<string, number>;
  /** The fields that are passed on, such as `service_tier` or `tools.web_search`: nano-USD for each call with it. */
  readonly passFields: ReadonlyMap<string, bigint>;
}

/** Nothing is priced. */
export const NO_TERMS: ModelTerms = { partTokens: new Map(), passFields: new Map() };
