/** An answer of bytes, which are sent as they come. Of an operation that is free, because nothing is settled at its end. */
export class BinaryAnswer {
  /**
   * @param head its status, which may be another than that of the operation's success, and its headers
   * @param bytes begins to read them; not called where the answer has no body
   */
  constructor(
    readonly head: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
    readonly bytes: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ) {}
}
