/** An answer of bytes, which are sent as they come. Of an operation that is free, because nothing is settled at its end. */
export class BinaryAnswer {
  /**
   * @param head its status, which may be another than that of the operation's success, and its headers
   * @param bytes begins to read them. The first piece is read before the head leaves, and what it throws is the answer
   */
  constructor(
    readonly head: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
    readonly bytes: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ) {}
}
