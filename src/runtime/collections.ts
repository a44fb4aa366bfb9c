export function chunksOf<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const count = Math.ceil(items.length / sizeMax);
  return Array.from({ length: count }, (_, at) => items.slice(at * sizeMax, (at + 1) * sizeMax));
}

export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key) ?? [];
  group.push(item);
  groups.set(key, group);
}

interface Box<Value> {
  value: Value | null;
}

/**
 * Once V8 has promoted a Map's outgrown table, it keeps deleted values alive until a major collection, which
 * took a fifth of the processor. Boxes are emptied on delete.
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

  /** A present key keeps its place. */
  set(key: string, value: Value): void {
    const box = this.boxes.get(key);
    if (box) {
      box.value = value;
    } else {
      this.boxes.set(key, { value });
    }
  }

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
