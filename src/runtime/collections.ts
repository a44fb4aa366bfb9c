/** In their order; the last may be shorter. */
export function chunksOf<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const count = Math.ceil(items.length / sizeMax);
  return Array.from({ length: count }, (_, at) => items.slice(at * sizeMax, (at + 1) * sizeMax));
}

/** To the list of its key, which may be the first of it. */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key) ?? [];
  group.push(item);
  groups.set(key, group);
}

interface Box<Value> {
  value: Value | null;
}

/**
 * V8 replaces a Map's table when it grows, shrinks or fills up, and the old one points to the new. Once such a table is
 * old, minor collections keep nearly each call until the next major one, which took a fifth of the processor. Here a
 * table has boxes, emptied when their value is removed.
 */
export class PassingMap<Value extends object> {
  private readonly boxes = new Map<string, Box<Value>>();

  get size(): number {
    return this.boxes.size;
  }

  get(key: string): Value | undefined {
    return this.boxes.get(key)?.value ?? undefined;
  }

  has(key: string): boolean {
    return this.boxes.has(key);
  }

  /** A key that is there already keeps its place. */
  set(key: string, value: Value): void {
    const box = this.boxes.get(key);
    if (box) {
      box.value = value;
    } else {
      this.boxes.set(key, { value });
    }
  }

  /** @returns whether it was there */
  delete(key: string): boolean {
    const box = this.boxes.get(key);
    if (box) {
      box.value = null;
    }
    return this.boxes.delete(key);
  }

  clear(): void {
    for (const box of this.boxes.values()) {
      box.value = null;
    }
    this.boxes.clear();
  }

  *values(): Generator<Value, void> {
    for (const { value } of this.boxes.values()) {
      if (value !== null) {
        yield value;
      }
    }
  }
}
