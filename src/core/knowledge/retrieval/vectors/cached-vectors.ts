import type { VectorScan, VectorSegment } from './nearest-rows';

const NUMBER_BYTES = 4;
const SEGMENT_BYTES_MAX = 1_048_576;
const SEGMENT_ROWS_MIN = 16;
/** What the id of a chunk takes in the list and in the map, measured. */
const ID_BYTES = 150;

interface GrowingSegment extends VectorSegment {
  rows: number;
  readonly rowsMax: number;
}

/**
 * The vectors of one space in shared memory, which threads scan while more are appended. Nothing moves: a vector that
 * is removed becomes one that is never found.
 */
export class CachedVectors {
  /** The vectors that earlier transactions have written are here. */
  horizon = 0n;
  private readonly segments: GrowingSegment[] = [];
  private readonly ids: string[] = [];
  private readonly rows = new Map<string, number>();
  private removed = 0;

  constructor(private readonly dimensions: number) {}

  /** How much memory so many vectors take. */
  static bytesOf(rows: number, dimensions: number): number {
    return rows * (dimensions * NUMBER_BYTES + ID_BYTES);
  }

  /** How many rows are filled, those of removed vectors among them. */
  get count(): number {
    return this.ids.length;
  }

  get bytes(): number {
    const numbers = this.segments.reduce((sum, segment) => sum + segment.numbers.byteLength, 0);
    return numbers + this.ids.length * ID_BYTES;
  }

  /** Whether most of the memory is taken by removed vectors. */
  get isMostlyRemoved(): boolean {
    return this.removed > 1_000 && this.removed > this.count / 2;
  }

  has(chunkId: string): boolean {
    return this.rows.has(chunkId);
  }

  /** Adds the vector of a chunk that is not here. @param bytes little-endian 32-bit floats */
  append(chunkId: string, bytes: Uint8Array): void {
    const segment = this.roomySegment();
    new Uint8Array(segment.numbers.buffer).set(bytes, segment.rows * this.dimensions * NUMBER_BYTES);
    segment.rows += 1;
    this.rows.set(chunkId, this.ids.length);
    this.ids.push(chunkId);
  }

  /** Makes the vector of a chunk one that is never found. */
  remove(chunkId: string): void {
    const row = this.rows.get(chunkId);
    if (row === undefined) {
      return;
    }
    this.rows.delete(chunkId);
    this.removed += 1;
    let first = 0;
    for (const { numbers, rows } of this.segments) {
      if (row >= first && row < first + rows) {
        numbers[(row - first) * this.dimensions] = NaN;
      }
      first += rows;
    }
  }

  /** A scan of the vectors that are here now; of these chunks alone where they are given. */
  scan(query: Float32Array, limit: number, chunkIds: readonly string[] | null): VectorScan {
    const rows = chunkIds?.flatMap((chunkId) => this.rows.get(chunkId) ?? []);
    return {
      segments: this.segments.map(({ numbers, rows: filled }) => ({ numbers, rows: filled })),
      query,
      limit,
      only: rows ? Uint32Array.from(rows).sort() : null,
    };
  }

  /** The chunk of a row that a scan has found. */
  chunkAt(row: number): string {
    const chunkId = this.ids[row];
    if (chunkId === undefined) {
      throw new Error('a scan found a row that is not filled');
    }
    return chunkId;
  }

  /** The last segment, or a new one where that is full, as large as all before it within bounds. */
  private roomySegment(): GrowingSegment {
    const last = this.segments.at(-1);
    if (last && last.rows < last.rowsMax) {
      return last;
    }
    const bounded = Math.min(this.count, Math.floor(SEGMENT_BYTES_MAX / NUMBER_BYTES / this.dimensions));
    const rowsMax = Math.max(SEGMENT_ROWS_MIN, bounded);
    const shared = new SharedArrayBuffer(rowsMax * this.dimensions * NUMBER_BYTES);
    const segment = { numbers: new Float32Array(shared), rows: 0, rowsMax };
    this.segments.push(segment);
    return segment;
  }
}
