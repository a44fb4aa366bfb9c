import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { Json, JsonObject } from './json';
import { isObject } from './json';

/** Where a part of the bundled document was written. */
export interface Origin {
  file: string;
  path: (string | number)[];
}

interface SourceFile {
  value: Json;
  document: Document;
  lines: LineCounter;
}

/** Keywords whose values are taken as they are: a `$ref` in them means nothing. */
const LITERAL_KEYWORDS = ['example', 'default', 'const', 'enum'];

type ComponentKind = 'schemas' | 'responses' | 'parameters';

/** A document that must not be generated from; `places` are `file:line` or JSON pointers with the reason. */
export class RefusedDocument extends Error {
  constructor(readonly places: string[]) {
    super(`The OpenAPI document is refused:\n${places.map((place) => `  ${place}`).join('\n')}`);
  }
}

/** The split YAML files, read once and bundled into one document that remembers its lines. */
export class SourceDocument {
  readonly bundled: JsonObject;
  private readonly files = new Map<string, SourceFile>();
  private readonly components: Record<ComponentKind, Map<string, { origin: Origin; value: Json }>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
  };
  private readonly origins = new Map<string, Origin>();

  constructor(private readonly root: string) {
    const file = resolve(root);
    this.bundled = this.resolveRefs(this.read(file).value, { file, path: [] }, '') as JsonObject;
    const components = (this.bundled.components ??= {}) as JsonObject;
    for (const [kind, entries] of Object.entries(this.components)) {
      const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
      components[kind] = Object.fromEntries(sorted.map(([name, entry]) => [name, entry.value]));
    }
  }

  /** `file:line` of a JSON pointer of the bundled document, or the pointer where no line is known. */
  locate(pointer: string): string {
    for (let prefix = pointer; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
      const origin = this.origins.get(prefix);
      if (origin) {
        return `${this.lineOf(origin)} (${pointer})`;
      }
    }
    return pointer;
  }

  private lineOf({ file, path }: Origin): string {
    const source = this.read(file);
    const node = source.document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    const line = node?.range ? source.lines.linePos(node.range[0]).line : 1;
    return `${this.nameOf(file)}:${line}`;
  }

  private nameOf(file: string): string {
    return relative(dirname(dirname(resolve(this.root))), file);
  }

  private read(file: string): SourceFile {
    let source = this.files.get(file);
    if (!source) {
      const lines = new LineCounter();
      const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
      if (document.errors.length > 0) {
        throw new RefusedDocument(
          document.errors.map(({ pos: [offset], message }) => {
            const reason = message.split(' at line ')[0] ?? message;
            return `${this.nameOf(file)}:${lines.linePos(offset).line} ${reason}`;
          }),
        );
      }
      source = { value: document.toJS() as Json, document, lines };
      this.files.set(file, source);
    }
    return source;
  }

  private resolveRefs(value: Json, origin: Origin, pointer: string): Json {
    if (Array.isArray(value)) {
      return value.map((item, index) => this.resolveRefs(item, step(origin, index), `${pointer}/${index}`));
    }
    if (!isObject(value)) {
      return value;
    }
    this.origins.set(pointer, origin);
    if (typeof value.$ref === 'string') {
      return this.resolveRef(value as JsonObject & { $ref: string }, origin, pointer);
    }
    return this.resolveMembers(value, origin, pointer);
  }

  private resolveMembers(value: JsonObject, origin: Origin, pointer: string): JsonObject {
    // Fields and responses have names that are no keywords, be they called `example` or `default`.
    const isKeyword = !/\/(properties|responses)$/.test(pointer);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        isKeyword && LITERAL_KEYWORDS.includes(name)
          ? member
          : this.resolveRefs(member, step(origin, name), `${pointer}/${escape(name)}`),
      ]),
    );
  }

  private resolveRef(value: JsonObject & { $ref: string }, origin: Origin, pointer: string): Json {
    const { $ref: ref, ...siblings } = value;
    const [path = '', fragment = ''] = ref.split('#');
    const file = path === '' ? origin.file : join(dirname(origin.file), path);
    const keys = fragment.split('/').slice(1).map(unescape);
    const target = { file, path: keys };
    const kind = componentKind(file);
    if (Object.keys(siblings).length > 0 && kind !== 'schemas') {
      throw new RefusedDocument([`${this.lineOf(origin)} only a schema may say more beside its $ref`]);
    }
    if (!existsSync(file)) {
      throw new RefusedDocument([`${this.lineOf(origin)} $ref ${ref} leads nowhere`]);
    }
    const found = keys.reduce<Json | undefined>(
      (node, key) => (isObject(node) ? node[key] : undefined),
      this.read(file).value,
    );
    if (found === undefined) {
      throw new RefusedDocument([`${this.lineOf(origin)} $ref ${ref} leads nowhere`]);
    }
    return kind
      ? { ...this.resolveMembers(siblings, origin, pointer), ...this.component(kind, keys, target, found) }
      : this.resolveRefs(found, target, pointer);
  }

  private component(kind: ComponentKind, keys: string[], origin: Origin, value: Json): JsonObject {
    const name = keys[0];
    if (keys.length !== 1 || name === undefined) {
      throw new RefusedDocument([`${this.lineOf(origin)} only whole components can be referred to`]);
    }
    const known = this.components[kind].get(name);
    if (known && known.origin.file !== origin.file) {
      throw new RefusedDocument([
        `${this.lineOf(origin)} ${name} is also defined at ${this.lineOf(known.origin)}`,
      ]);
    }
    if (!known) {
      const entry = { origin, value: null as Json };
      this.components[kind].set(name, entry);
      entry.value = this.resolveRefs(value, origin, `/components/${kind}/${name}`);
    }
    return { $ref: `#/components/${kind}/${name}` };
  }
}

function componentKind(file: string): ComponentKind | null {
  if (/[/\\]schemas[/\\][^/\\]+\.yaml$/.test(file)) {
    return 'schemas';
  }
  const match = /[/\\](responses|parameters)\.yaml$/.exec(file);
  return match ? (match[1] as ComponentKind) : null;
}

function step(origin: Origin, key: string | number): Origin {
  return { file: origin.file, path: [...origin.path, key] };
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescape(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
