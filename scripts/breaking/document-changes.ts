import { credentialChanges, guardChanges, type Guarded } from './credential-changes';
import { isEqual, SchemaChanges, shortly, type Schema, type Writer } from './schema-changes';

/** What is compared of an OpenAPI 3.1 document; everything it refers to is a component of its own. */
export interface ComparedDocument {
  info: { version: string };
  paths?: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  components?: Record<string, Record<string, unknown>>;
  /** What operations ask for that do not say it themselves. */
  security?: Guarded['security'];
}

interface Operation extends Guarded {
  operationId?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: Body | Reference;
  responses?: Record<string, Answer | Reference>;
}
interface Reference {
  $ref: string;
}
/** A header of an answer, and what it has in common with a parameter: one value that is written as text. */
interface Header {
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema?: Schema;
  content?: Content;
}
interface Parameter extends Header {
  name: string;
  in: string;
}
interface Body {
  required?: boolean;
  content?: Content;
}
interface Answer {
  headers?: Record<string, Header | Reference>;
  content?: Content;
}
type Content = Record<string, { schema?: Schema; encoding?: unknown }>;
/** One part in both documents. */
interface Both<Part> {
  old: Part;
  now: Part;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * What clients that were made from the old document stumble over with the new one, a sentence each. What is compared and what
 * counts as a break is told in docs/versioning.md.
 */
export function breakingChanges(old: ComparedDocument, now: ComparedDocument): string[] {
  const complaints = new Set<string>();
  new DocumentChanges(old, now, (complaint) => complaints.add(complaint)).compare();
  return [...complaints];
}

class DocumentChanges {
  private readonly schemas: SchemaChanges;

  constructor(
    private readonly old: ComparedDocument,
    private readonly now: ComparedDocument,
    private readonly complain: (complaint: string) => void,
  ) {
    const schemasOf = ({ components }: ComparedDocument) =>
      (components?.['schemas'] ?? {}) as Record<string, Schema>;
    this.schemas = new SchemaChanges({ old: schemasOf(old), new: schemasOf(now) }, complain);
  }

  compare(): void {
    const schemesOf = ({ components }: ComparedDocument) =>
      (components?.['securitySchemes'] ?? {}) as Record<string, Record<string, unknown>>;
    credentialChanges(schemesOf(this.old), schemesOf(this.now)).forEach(this.complain);
    const after = operationsOf(this.now.paths);
    for (const [name, operation] of operationsOf(this.old.paths)) {
      const successor = after.get(name);
      if (successor) {
        this.compareOperation(name, operation, successor);
      } else {
        this.complain(`${name}: removed`);
      }
    }
    const eventsNow = operationsOf(this.now.webhooks);
    for (const [name, event] of operationsOf(this.old.webhooks)) {
      const successor = eventsNow.get(name);
      if (successor) {
        // What callers send to the service is, in an event, what the service sends.
        this.compareContents(`event ${name}`, this.bodyOf(event, successor), 'service');
        const headers = { old: this.headersOf(this.old, event), now: this.headersOf(this.now, successor) };
        this.compareHeaders(`event ${name}`, headers);
      } else {
        this.complain(`event ${name}: removed`);
      }
    }
  }

  private compareOperation(name: string, old: Operation, now: Operation): void {
    if (old.operationId !== now.operationId) {
      this.complain(`${name}: its operationId changed from ${old.operationId} to ${now.operationId}`);
    }
    const guards = { old: guarded(old, this.old), now: guarded(now, this.now) };
    guardChanges(guards.old, guards.now).forEach((change) => this.complain(`${name}: ${change}`));
    this.compareParameters(name, old, now);
    this.compareBodies(name, old, now);
    this.compareAnswers(name, old, now);
  }

  private compareParameters(name: string, old: Operation, now: Operation): void {
    const before = this.parametersOf(this.old, old);
    const after = this.parametersOf(this.now, now);
    for (const [key, parameter] of before) {
      const successor = after.get(key);
      if (!successor) {
        this.complain(`${name}: the parameter ${key} was removed`);
      } else {
        this.compareValues(`${name} ${key}`, { old: parameter, now: successor }, 'caller');
      }
    }
    for (const [key, { required }] of after) {
      if (required === true && before.get(key)?.required !== true) {
        this.complain(`${name}: the parameter ${key} is required now`);
      }
    }
  }

  private compareBodies(name: string, old: Operation, now: Operation): void {
    const bodies = this.bodyOf(old, now);
    if (bodies.now?.required === true && bodies.old?.required !== true) {
      this.complain(`${name}: a body is required now`);
    }
    this.compareContents(`${name} request`, bodies, 'caller');
  }

  private compareAnswers(name: string, old: Operation, now: Operation): void {
    for (const [status, answer] of Object.entries(old.responses ?? {})) {
      const successor = now.responses?.[status];
      if (!successor) {
        this.complain(`${name}: the answer ${status} was removed`);
        continue;
      }
      const answers = {
        old: this.resolved<Answer>(this.old, answer),
        now: this.resolved<Answer>(this.now, successor),
      };
      const place = `${name} ${status}`;
      this.compareHeaders(place, { old: answers.old.headers ?? {}, now: answers.now.headers ?? {} });
      this.compareContents(place, answers, 'service');
    }
    for (const status of Object.keys(now.responses ?? {})) {
      if (status.startsWith('2') && !(status in (old.responses ?? {}))) {
        this.complain(`${name}: may now succeed with ${status}`);
      }
    }
  }

  private compareHeaders(place: string, { old, now }: Both<NonNullable<Answer['headers']>>): void {
    for (const [header, value] of Object.entries(old)) {
      const successor = now[header];
      if (!successor) {
        this.complain(`${place}: the header ${header} was removed`);
        continue;
      }
      // One that many answers share is complained about once.
      const name = '$ref' in value ? `the header ${header}` : `${place} header ${header}`;
      const values = {
        old: this.resolved<Header>(this.old, value),
        now: this.resolved<Header>(this.now, successor),
      };
      if (values.old.required === true && values.now.required !== true) {
        this.complain(`${name}: may be missing now`);
      }
      this.compareValues(name, values, 'service');
    }
  }

  /** What a parameter or a header may hold, and how that is written as text. */
  private compareValues(name: string, { old, now }: Both<Header & { in?: string }>, writer: Writer): void {
    if (!old.content && now.content) {
      this.complain(`${name}: is written as ${Object.keys(now.content).join()} now`);
    } else if (!old.content) {
      const [before, after] = [formOf(old), formOf(now)];
      for (const word of ['style', 'explode'] as const) {
        if (before[word] !== after[word]) {
          this.complain(`${name}: ${word} changed from ${before[word]} to ${after[word]}`);
        }
      }
      this.schemas.compare(old.schema ?? {}, now.schema ?? {}, { name, writer });
    }
    this.compareContents(name, { old, now }, writer);
  }

  private compareContents(
    name: string,
    { old, now }: Both<{ content?: Content } | undefined>,
    writer: Writer,
  ): void {
    for (const [type, { schema, encoding }] of Object.entries(old?.content ?? {})) {
      const successor = now?.content?.[type];
      if (!successor) {
        this.complain(`${name}: ${type} was removed`);
        continue;
      }
      if (schema && successor.schema) {
        this.schemas.compare(schema, successor.schema, { name, writer });
      }
      if (!isEqual(encoding, successor.encoding)) {
        this.complain(
          `${name}: encoding changed from ${shortly(encoding)} to ${shortly(successor.encoding)}`,
        );
      }
    }
  }

  private bodyOf(old: Operation, now: Operation): Both<Body | undefined> {
    return {
      old: old.requestBody && this.resolved<Body>(this.old, old.requestBody),
      now: now.requestBody && this.resolved<Body>(this.now, now.requestBody),
    };
  }

  private parametersOf(document: ComparedDocument, { parameters }: Operation): Map<string, Parameter> {
    const all = (parameters ?? []).map((parameter) => this.resolved<Parameter>(document, parameter));
    return new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  }

  /** Of an event: what the service sends beside its body is described as what callers would send. */
  private headersOf(document: ComparedDocument, event: Operation): Record<string, Header> {
    const all = [...this.parametersOf(document, event).values()];
    return Object.fromEntries(all.filter((one) => one.in === 'header').map((one) => [one.name, one]));
  }

  private resolved<Part>(document: ComparedDocument, part: Part | Reference): Part {
    if (typeof part !== 'object' || part === null || !('$ref' in part)) {
      return part;
    }
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref) ?? [];
    const target = document.components?.[kind]?.[name];
    if (target === undefined) {
      throw new Error(`the document has no ${part.$ref}`);
    }
    return this.resolved(document, target as Part | Reference);
  }
}

/** What an operation does not say of itself, its document says for all. */
function guarded(operation: Operation, { security = [] }: ComparedDocument): Guarded {
  return { ...operation, security: operation.security ?? security };
}

/** How a value is written, with the defaults of OpenAPI. */
function formOf(value: Header & { in?: string }): { style: string; explode: boolean } {
  const style = value.style ?? (value.in === 'query' || value.in === 'cookie' ? 'form' : 'simple');
  return { style, explode: value.explode ?? style === 'form' };
}

/** By method and path, or by the event's name where there is one method for each. */
function operationsOf(paths: Record<string, Record<string, unknown>> | undefined): Map<string, Operation> {
  return new Map(
    Object.entries(paths ?? {}).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        // A path may name parameters for all of its operations.
        withParameters(item['parameters'], item[method] as Operation),
      ]),
    ),
  );
}

function withParameters(ofPath: unknown, operation: Operation): Operation {
  const shared = (ofPath ?? []) as (Parameter | Reference)[];
  return { ...operation, parameters: [...shared, ...(operation.parameters ?? [])] };
}
