/** A JSON Schema as it stands in the document. */
export type Schema = Record<string, unknown>;

/** Who writes what a schema describes: callers a request, the service an answer or an event. */
export type Writer = 'caller' | 'service';

/** What both documents say of one place. */
interface Place {
  /** As it is told to the reader of a complaint. */
  name: string;
  writer: Writer;
}

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];
const UNIONS = ['oneOf', 'anyOf'] as const;
/** They say nothing about which values are valid. */
const REMARKS = [
  'description',
  'title',
  'summary',
  'example',
  'examples',
  'deprecated',
  '$comment',
  'externalDocs',
];
/** They are compared by rules of their own; of every other keyword any change breaks. */
const RULED = [
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  ...UNIONS,
  ...REMARKS,
  '$ref',
  'type',
  'enum',
  'required',
  'properties',
  'additionalProperties',
  'items',
];

/**
 * Finds what of a schema's change breaks clients. A request must be taken as it was, so its schema may only allow
 * more; an answer must be readable as it was, so its schema may only promise more. New values of an enumeration, and
 * new kinds that a discriminator tells apart, are no break in an answer: clients are told to expect them
 * (docs/versioning.md).
 */
export class SchemaChanges {
  private readonly seen = new Map<Writer, WeakMap<Schema, WeakSet<Schema>>>();

  /**
   * @param schemas the named schemas of the old and of the new document
   * @param complain is called once for each break
   */
  constructor(
    private readonly schemas: { old: Record<string, Schema>; new: Record<string, Schema> },
    private readonly complain: (complaint: string) => void,
  ) {}

  compare(from: Schema, to: Schema, place: Place): void {
    const [old, now] = [resolved(from, this.schemas.old), resolved(to, this.schemas.new)];
    if (this.isSeen(old, now, place.writer)) {
      return;
    }
    // A named schema is compared once, and then complained about by its own name.
    const { writer } = place;
    const name = nameOf(from) ?? place.name;
    const at = { name, writer };
    const [before, after] = [unionOf(old), unionOf(now)];
    if (before !== null || after !== null) {
      // One that has no alternatives is its own only one.
      this.compareAlternatives(before ?? [from], after ?? [to], {
        at,
        isDiscriminated: isSchema(now['discriminator']),
      });
    }
    if ((before === null) === (after === null) || isMoreThanChoice(before === null ? now : old)) {
      this.compareOwn(old, now, at);
    }
  }

  private compareOwn(old: Schema, now: Schema, at: Place): void {
    this.compareTypes(old, now, at);
    this.compareEnumerations(old, now, at);
    this.compareBounds(old, now, at);
    this.compareObjects(old, now, at);
    const [items, itemsNow] = [old['items'], now['items']];
    if (isSchema(items) && isSchema(itemsNow)) {
      this.compare(items, itemsNow, { ...at, name: `${at.name}[]` });
    } else if (isSchema(at.writer === 'caller' ? itemsNow : items)) {
      this.complain(
        `${at.name}[]: ${at.writer === 'caller' ? 'have a schema now' : 'have no schema any more'}`,
      );
    }
    this.compareOthers(old, now, at);
  }

  /** @returns whether this pair was compared before; schemas refer to themselves */
  private isSeen(old: Schema, now: Schema, writer: Writer): boolean {
    const byOld = this.seen.get(writer) ?? new WeakMap<Schema, WeakSet<Schema>>();
    const partners = byOld.get(old) ?? new WeakSet<Schema>();
    const known = partners.has(now);
    this.seen.set(writer, byOld.set(old, partners.add(now)));
    return known;
  }

  private compareTypes(old: Schema, now: Schema, { name, writer }: Place): void {
    const [before, after] = [typesOf(old), typesOf(now)];
    const [wider, narrower] = writer === 'caller' ? [after, before] : [before, after];
    const lacking = wider && (narrower?.filter((type) => !covers(wider, type)) ?? ['any type']);
    if (lacking && lacking.length > 0) {
      const verb = writer === 'caller' ? 'no longer takes' : 'may now be';
      this.complain(`${name}: ${verb} ${lacking.join(', ')}`);
    }
  }

  private compareEnumerations(old: Schema, now: Schema, { name, writer }: Place): void {
    if (writer === 'service' || !Array.isArray(now['enum'])) {
      return;
    }
    if (!Array.isArray(old['enum'])) {
      this.complain(`${name}: takes only certain values now`);
      return;
    }
    const after = new Set(now['enum'].map((value) => JSON.stringify(value)));
    const gone = old['enum'].map((value) => JSON.stringify(value)).filter((value) => !after.has(value));
    if (gone.length > 0) {
      this.complain(`${name}: no longer takes the value ${gone.join(', ')}`);
    }
  }

  private compareBounds(old: Schema, now: Schema, { name, writer }: Place): void {
    if (writer === 'service') {
      return;
    }
    for (const [bounds, sign] of [
      [LOWER_BOUNDS, 1],
      [UPPER_BOUNDS, -1],
    ] as const) {
      for (const bound of bounds) {
        const [before, after] = [old[bound], now[bound]] as (number | undefined)[];
        if (after !== undefined && (before === undefined || sign * after > sign * before)) {
          this.complain(`${name}: ${bound} narrowed from ${before ?? 'none'} to ${after}`);
        }
      }
    }
  }

  private compareObjects(old: Schema, now: Schema, at: Place): void {
    const [before, after] = [propertiesOf(old), propertiesOf(now)];
    for (const [property, schema] of Object.entries(before)) {
      const name = `${at.name}.${property}`;
      const successor = after[property];
      if (successor) {
        this.compare(schema, successor, { ...at, name });
      } else {
        this.complain(
          `${name}: removed from what ${at.writer === 'caller' ? 'callers send' : 'is answered'}`,
        );
      }
    }
    const [required, requiredNow] = [requiredOf(old), requiredOf(now)];
    if (at.writer === 'caller') {
      const added = requiredNow.filter((property) => !required.includes(property));
      added.forEach((property) => this.complain(`${at.name}.${property}: is required now`));
    } else {
      const dropped = required.filter((property) => !requiredNow.includes(property) && property in after);
      dropped.forEach((property) => this.complain(`${at.name}.${property}: may be missing now`));
    }
    this.compareFurtherProperties(old, now, at);
  }

  private compareFurtherProperties(old: Schema, now: Schema, at: Place): void {
    const [before, after] = [old['additionalProperties'] ?? true, now['additionalProperties'] ?? true];
    const name = `${at.name}.*`;
    if (isSchema(before) && isSchema(after)) {
      this.compare(before, after, { ...at, name });
    } else if (at.writer === 'caller' && before !== false && after !== true) {
      if (after === false) {
        this.complain(`${name}: no further properties are taken`);
      } else if (before === true) {
        this.complain(`${name}: further properties were free, and now have a schema`);
      }
    } else if (at.writer === 'service' && isSchema(before) && after === true) {
      this.complain(`${name}: further properties had a schema, and now are free`);
    }
  }

  /**
   * An alternative is matched with the one of its name, else with one that is equal; what is left over, in order.
   * @param isDiscriminated whether a reader can tell the alternatives apart, and so knows which are new to it
   */
  private compareAlternatives(
    before: readonly Schema[],
    after: readonly Schema[],
    { at, isDiscriminated }: { at: Place; isDiscriminated: boolean },
  ): void {
    let [olds, news] = [[...before], [...after]];
    for (const isMatch of [isOfOneName, isEqual, () => true]) {
      const unmatched: Schema[] = [];
      for (const one of olds) {
        const match = news.find((other) => isMatch(one, other));
        if (match) {
          news = news.filter((other) => other !== match);
          this.compare(one, match, { ...at, name: `${at.name}|${before.indexOf(one) + 1}` });
        } else {
          unmatched.push(one);
        }
      }
      olds = unmatched;
    }
    if (at.writer === 'caller' && olds.length > 0) {
      this.complain(`${at.name}: no longer takes the alternative ${olds.map(shortly).join(', ')}`);
    }
    if (at.writer === 'service' && news.length > 0 && !isDiscriminated) {
      this.complain(`${at.name}: may now be the alternative ${news.map(shortly).join(', ')}`);
    }
  }

  private compareOthers(old: Schema, now: Schema, { name, writer }: Place): void {
    const keywords = new Set([...Object.keys(old), ...Object.keys(now)]);
    for (const keyword of keywords) {
      const isOfRequests = keyword === 'default' || keyword === 'pattern' || keyword === 'uniqueItems';
      if (RULED.includes(keyword) || keyword.startsWith('x-') || (isOfRequests && writer === 'service')) {
        continue;
      }
      const isDropped = now[keyword] === undefined && isOfRequests && keyword !== 'default';
      const isNewKind = keyword === 'discriminator' && writer === 'service';
      if (!isEqual(old[keyword], now[keyword]) && !isDropped && !isNewKind) {
        this.complain(
          `${name}: ${keyword} changed from ${shortly(old[keyword])} to ${shortly(now[keyword])}`,
        );
      }
    }
  }
}

function resolved(schema: Schema, named: Record<string, Schema>): Schema {
  const name = nameOf(schema);
  if (name === null) {
    return schema;
  }
  const target = named[name];
  if (!target) {
    throw new Error(`the document has no schema ${name}`);
  }
  return resolved(target, named);
}

function nameOf(schema: Schema): string | null {
  return typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/components/schemas/', '') : null;
}

function unionOf(schema: Schema): Schema[] | null {
  const union = UNIONS.map((name) => schema[name]).find(Array.isArray);
  return (union as Schema[] | undefined) ?? null;
}

/** Whether a schema with alternatives says anything beside them that narrows all of them. */
function isMoreThanChoice(schema: Schema): boolean {
  return Object.keys(schema).some(
    (keyword) => ![...UNIONS, ...REMARKS, 'discriminator', 'type'].includes(keyword),
  );
}

function typesOf(schema: Schema): string[] | null {
  const { type } = schema as { type?: string | string[] };
  return type === undefined ? null : [type].flat();
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema['properties'] as Record<string, Schema> | undefined) ?? {};
}

function requiredOf(schema: Schema): string[] {
  return (schema['required'] as string[] | undefined) ?? [];
}

function isOfOneName(one: Schema, other: Schema): boolean {
  return nameOf(one) !== null && nameOf(one) === nameOf(other);
}

export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

/** A part of the document within a complaint. */
export function shortly(value: unknown): string {
  return (isSchema(value) && nameOf(value)) || (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
