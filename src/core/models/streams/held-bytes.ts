/**
 * Puts pieces of bytes together, in time linear in the number of bytes however small the pieces are. A single piece is
 * not copied.
 */
export class HeldBytes {
  private alone: Uint8Array | null = null;
  private buffer = new Uint8Array(0);
  private used = 0;

  get length(): number {
    return this.alone?.length ?? this.used;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) {
      return;
    }
    if (this.length === 0) {
      this.alone = piece;
      return;
    }
    if (this.alone !== null) {
      const first = this.alone;
      this.alone = null;
      this.append(first);
    }
    this.append(piece);
  }

  /** All bytes so far; nothing is held afterwards. */
  take(): Uint8Array {
    const bytes = this.alone ?? this.buffer.subarray(0, this.used);
    this.alone = null;
    this.buffer = new Uint8Array(0);
    this.used = 0;
    return bytes;
  }

  private append(piece: Uint8Array): void {
    const needed = this.used + piece.length;
    if (needed > this.buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2, 1024));
      larger.set(this.buffer.subarray(0, this.used));
      this.buffer = larger;
    }
    this.buffer.set(piece, this.used);
    this.used = needed;
  }
}
