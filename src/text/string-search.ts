/** In UTF-16 units; -1 for a word that is absent. */
export function firstPlaces(wanted: readonly Uint16Array[], text: Uint16Array): Int32Array {
  const tree = new WordTree(wanted.reduce((sum, { length }) => sum + length, 1));
  const ends = wanted.map((word) => tree.add(word));
  const places = tree.search(text);
  return Int32Array.from(ends, (node) => (node === ROOT ? -1 : (places[node] ?? -1)));
}

const ROOT = 0;
const UNITS = 0x1_0000;

/** One pass for all words: `indexOf` takes seconds for repetitive texts. Source: Aho and Corasick, 1975. */
class WordTree {
  private size = 1;
  private readonly parent: Int32Array;
  private readonly unit: Uint16Array;
  private readonly depth: Int32Array;
  private readonly isEnd: Uint8Array;
  /** For each prefix, its longest proper suffix that is a prefix too. */
  private readonly fallback: Int32Array;
  /** For each prefix, its longest proper suffix that is a word; the root for none. */
  private readonly shorter: Int32Array;
  /** By parent and unit, with open addressing; 0 is free. */
  private readonly children: Int32Array;
  private readonly begins = new Uint8Array(UNITS);

  constructor(nodesMax: number) {
    this.parent = new Int32Array(nodesMax);
    this.unit = new Uint16Array(nodesMax);
    this.depth = new Int32Array(nodesMax);
    this.isEnd = new Uint8Array(nodesMax);
    this.fallback = new Int32Array(nodesMax);
    this.shorter = new Int32Array(nodesMax);
    this.children = new Int32Array(2 ** Math.ceil(Math.log2(2 * nodesMax + 1)));
  }

  add(word: Uint16Array): number {
    let node = ROOT;
    for (const unit of word) {
      const slot = this.slotOf(node, unit);
      if (this.children[slot] === ROOT) {
        this.children[slot] = this.size;
        this.parent[this.size] = node;
        this.unit[this.size] = unit;
        this.depth[this.size] = at(this.depth, node) + 1;
        this.size += 1;
      }
      node = at(this.children, slot);
    }
    this.begins[word[0] ?? 0] = 1;
    this.isEnd[node] = 1;
    return node;
  }

  search(text: Uint16Array): Int32Array {
    this.link();
    const places = new Int32Array(this.size).fill(-1);
    let node = ROOT;
    // An iterator would take longer than everything else.
    for (let index = 0; index < text.length; index += 1) {
      const unit = at(text, index);
      if (node === ROOT && this.begins[unit] === 0) {
        continue;
      }
      node = this.next(node, unit);
      let found = this.isEnd[node] === 1 ? node : at(this.shorter, node);
      while (found !== ROOT && places[found] === -1) {
        places[found] = index + 1 - at(this.depth, found);
        found = at(this.shorter, found);
      }
    }
    return places;
  }

  private link(): void {
    this.isEnd[ROOT] = 0;
    for (const node of this.byDepth()) {
      const parent = at(this.parent, node);
      const fallback = parent === ROOT ? ROOT : this.next(at(this.fallback, parent), at(this.unit, node));
      this.fallback[node] = fallback;
      this.shorter[node] = this.isEnd[fallback] === 1 ? fallback : at(this.shorter, fallback);
    }
  }

  private byDepth(): Int32Array {
    const nodes = Int32Array.from({ length: this.size - 1 }, (_, index) => index + 1);
    return nodes.sort((one, other) => at(this.depth, one) - at(this.depth, other));
  }

  private next(from: number, unit: number): number {
    let node = from;
    let child = at(this.children, this.slotOf(node, unit));
    while (child === ROOT && node !== ROOT) {
      node = at(this.fallback, node);
      child = at(this.children, this.slotOf(node, unit));
    }
    return child;
  }

  private slotOf(parent: number, unit: number): number {
    const mask = this.children.length - 1;
    let slot = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(unit + 1, 0x85ebca6b)) >>> 0;
    for (slot = (slot ^ (slot >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const child = at(this.children, slot);
      if (child === ROOT || (this.parent[child] === parent && this.unit[child] === unit)) {
        return slot;
      }
    }
  }
}

function at(numbers: Int32Array | Uint16Array, index: number): number {
  return numbers[index] ?? 0;
}
