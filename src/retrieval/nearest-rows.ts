export interface VectorSegment {
  readonly numbers: Float32Array;
  readonly rows: number;
}

export interface VectorScan {
  readonly segments: readonly VectorSegment[];
  readonly query: Float32Array;
  readonly limit: number;
  readonly only: Uint32Array | null;
}

export interface NearestRows {
  readonly rows: Uint32Array;
  readonly similarities: Float64Array;
}

/** The greatest dot products, for vectors of length 1 cosines; ties in row order. NaN is never found. */
export function nearestRows({ segments, query, limit, only }: VectorScan): NearestRows {
  const best = new BestRows(limit);
  let first = 0;
  let next = 0;
  for (const { numbers, rows } of segments) {
    const end = first + rows;
    if (only === null) {
      for (let row = first; row < end; row += 1) {
        best.offer(row, dotProduct(numbers, (row - first) * query.length, query));
      }
    } else {
      for (; next < only.length && (only[next] as number) < end; next += 1) {
        const row = only[next] as number;
        best.offer(row, dotProduct(numbers, (row - first) * query.length, query));
      }
    }
    first = end;
  }
  return best.result();
}

/** Four independent sums take half the time of one. */
function dotProduct(numbers: Float32Array, start: number, query: Float32Array): number {
  const { length } = query;
  const fourths = length - (length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let index = 0; index < fourths; index += 4) {
    const place = start + index;
    a += (numbers[place] as number) * (query[index] as number);
    b += (numbers[place + 1] as number) * (query[index + 1] as number);
    c += (numbers[place + 2] as number) * (query[index + 2] as number);
    d += (numbers[place + 3] as number) * (query[index + 3] as number);
  }
  for (let index = fourths; index < length; index += 1) {
    a += (numbers[start + index] as number) * (query[index] as number);
  }
  return a + b + c + d;
}

/** Collects twice the wanted rows before it drops the worse half, so that it sorts seldom. */
class BestRows {
  private found: { row: number; similarity: number }[] = [];
  private worst = -Infinity;

  constructor(private readonly limit: number) {}

  offer(row: number, similarity: number): void {
    if (similarity > this.worst) {
      this.found.push({ row, similarity });
      if (this.found.length >= 2 * this.limit) {
        this.cut();
      }
    }
  }

  result(): NearestRows {
    this.cut();
    return {
      rows: Uint32Array.from(this.found, ({ row }) => row),
      similarities: Float64Array.from(this.found, ({ similarity }) => similarity),
    };
  }

  private cut(): void {
    this.found.sort((one, other) => other.similarity - one.similarity || one.row - other.row);
    this.found.length = Math.min(this.found.length, this.limit);
    if (this.found.length === this.limit) {
      this.worst = this.found.at(-1)?.similarity ?? -Infinity;
    }
  }
}
