import { isObject, jsonField, type JsonObject } from '../../runtime/json';
import { GithubAnchors } from '../../text/outline';
import {
  codeSpan,
  embeddedParagraphs,
  headingText,
  markdownTable,
  type PageSection,
  writtenPage,
  type WrittenPage,
} from './docs-page';
import { listOf, membersOf, OpenApiDocument, SchemaTables, textOf } from './openapi-document';

interface OperationPlace {
  readonly method: string;
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

const ROWS_MAX = 100;
const MEDIA_TYPES_MAX = 8;
const DESCRIPTION_LENGTH_MAX = 4_000;
const NAME_LENGTH_MAX = 200;

function operationText(
  { item, operation }: OperationPlace,
  document: OpenApiDocument,
  tables: SchemaTables,
): string {
  const summary = textOf(operation['summary'], 400).replace(/\s+/gu, ' ').trim();
  const id = textOf(operation['operationId'], NAME_LENGTH_MAX);
  return paragraphs(
    operation['deprecated'] === true ? 'Deprecated.' : '',
    summary === '' ? '' : `**${summary}**`,
    embeddedParagraphs(textOf(operation['description'], DESCRIPTION_LENGTH_MAX)),
    id === '' ? '' : `Operation: ${codeSpan(id)}`,
    securityText(operation['security'] ?? document.root['security']),
    parametersText([...listOf(item['parameters']), ...listOf(operation['parameters'])], document, tables),
    bodyText(document.resolve(operation['requestBody']), tables),
    responsesText(operation['responses'], document, tables),
  );
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

function securityText(security: unknown): string {
  if (!Array.isArray(security)) {
    return '';
  }
  const choices = security
    .slice(0, MEDIA_TYPES_MAX)
    .map((choice) =>
      membersOf(choice)
        .slice(0, MEDIA_TYPES_MAX)
        .map(([name]) => codeSpan(textOf(name, NAME_LENGTH_MAX)))
        .join(' and '),
    )
    .map((choice) => (choice === '' ? 'none' : choice));
  return `Authentication: ${choices.length === 0 ? 'none' : choices.join(' or ')}`;
}

/** A parameter of the operation stands for one of the same name and place of its path. */
function parametersText(
  parameters: readonly unknown[],
  document: OpenApiDocument,
  tables: SchemaTables,
): string {
  const found = new Map<string, JsonObject>();
  for (const parameter of parameters.slice(0, 2 * ROWS_MAX)) {
    const resolved = document.resolve(parameter);
    if (resolved !== null) {
      found.set(`${textOf(resolved['in'], 40)} ${textOf(resolved['name'], NAME_LENGTH_MAX)}`, resolved);
    }
  }
  const rows = [...found.values()].map((parameter) => [
    codeSpan(textOf(parameter['name'], NAME_LENGTH_MAX)),
    textOf(parameter['in'], 40),
    tables.typeOf(schemaOf(parameter)),
    parameter['required'] === true ? 'yes' : 'no',
    tables.notesOf(schemaOf(parameter), parameter['description']),
  ]);
  return rows.length === 0
    ? ''
    : `Parameters:\n\n${tableOf(['Name', 'In', 'Type', 'Required', 'Description'], rows)}`;
}

/** A parameter has a schema, or one in its content. */
function schemaOf(parameter: JsonObject): unknown {
  return parameter['schema'] ?? firstSchema(parameter);
}

function bodyText(body: JsonObject | null, tables: SchemaTables): string {
  if (body === null) {
    return '';
  }
  const media = membersOf(body['content']).slice(0, MEDIA_TYPES_MAX);
  const types = media.map(([name, value]) => {
    const schema = jsonField(value, 'schema');
    return `${codeSpan(textOf(name, NAME_LENGTH_MAX))}: ${tables.typeOf(schema)}`;
  });
  const inPlace = media
    .map(([, value]) => jsonField(value, 'schema'))
    .filter((schema) => isObject(schema) && schema['$ref'] === undefined);
  const need = body['required'] === true ? 'required' : 'optional';
  return paragraphs(
    `Request body (${need}): ${types.join('; ')}`.replace(/: $/u, ''),
    embeddedParagraphs(textOf(body['description'], DESCRIPTION_LENGTH_MAX)),
    inPlace.length === 0 ? '' : tables.fieldsOf(inPlace[0]),
  );
}

function responsesText(responses: unknown, document: OpenApiDocument, tables: SchemaTables): string {
  const found = membersOf(responses)
    .slice(0, ROWS_MAX)
    .map(([status, value]) => ({ status, response: document.resolve(value) }));
  const rows = found.map(({ status, response }) => {
    const media = membersOf(response?.['content']).slice(0, MEDIA_TYPES_MAX);
    const types = media.map(([name, value]) => {
      const type = tables.typeOf(jsonField(value, 'schema'));
      return `${codeSpan(textOf(name, NAME_LENGTH_MAX))}: ${type}`;
    });
    return [codeSpan(textOf(status, 40)), types.join('; ') || 'none', textOf(response?.['description'], 600)];
  });
  const tablesInPlace = found.flatMap(({ status, response }) => {
    const schema = firstSchema(response);
    const fields = isObject(schema) && schema['$ref'] === undefined ? tables.fieldsOf(schema) : '';
    return fields === '' ? [] : [`Fields of ${codeSpan(textOf(status, 40))}:\n\n${fields}`];
  });
  return rows.length === 0
    ? ''
    : paragraphs(`Responses:\n\n${tableOf(['Status', 'Body', 'Description'], rows)}`, ...tablesInPlace);
}

function firstSchema(response: JsonObject | null): unknown {
  return jsonField(membersOf(response?.['content'])[0]?.[1], 'schema');
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = markdownTable(header, rows.slice(0, ROWS_MAX));
  return rows.length > ROWS_MAX ? `${table}\n\nThe table has only the first ${ROWS_MAX} rows.` : table;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const OPERATIONS_MAX = 500;
const SCHEMAS_MAX = 500;
const PAGE_LENGTH_MAX = 400_000;
const NO_TAG = 'Operations';

interface PlannedSection {
  readonly title: string;
  readonly level: number;
  readonly counted: 'operations' | 'schemas' | null;
  readonly write: () => string;
}

/** Nothing stands in it but what the document says; each schema stands once and is linked. @throws NoOpenApiDocument */
export function apiReference(source: string): WrittenPage {
  const document = OpenApiDocument.read(source);
  const { operations, more: moreOperations } = operationsOf(document);
  const allSchemas = membersOf(jsonField(document.root['components'], 'schemas'));
  const schemas = allSchemas.slice(0, SCHEMAS_MAX);
  const anchors = new Map<string, string>();
  const tables = new SchemaTables(document, anchors);
  const { info } = document.root;
  const title = headingText(textOf(jsonField(info, 'title'), NAME_LENGTH_MAX)) || 'API';
  const plan = [
    ...introduction(document),
    ...operationSections(operations, document, tables),
    ...schemaSections(schemas, tables),
  ];
  nameAnchors(title, plan, schemas, anchors);
  const { sections, left } = written(plan);
  const omitted = [
    ...countedAs(moreOperations + left.operations, 'operations'),
    ...countedAs(allSchemas.length - schemas.length + left.schemas, 'schemas'),
    ...(tables.isExhausted ? ['Types of fields, because the document refers to too many.'] : []),
  ];
  return writtenPage(title, sections, omitted);
}

/** Headings have their anchors before any text is written, because texts link to schemas that come later. */
function nameAnchors(
  title: string,
  plan: readonly PlannedSection[],
  schemas: readonly (readonly [string, unknown])[],
  anchors: Map<string, string>,
): void {
  const made = new GithubAnchors();
  made.of(title);
  const all = plan.map((section) => made.of(headingText(section.title)));
  const first = plan.length - schemas.length;
  for (const [index, [name]] of schemas.entries()) {
    anchors.set(name, all[first + index] ?? '');
  }
}

function written(plan: readonly PlannedSection[]): {
  sections: PageSection[];
  left: { operations: number; schemas: number };
} {
  const sections: PageSection[] = [];
  const left = { operations: 0, schemas: 0 };
  let length = 0;
  for (const { title, level, counted, write } of plan) {
    if (length > PAGE_LENGTH_MAX) {
      left.operations += counted === 'operations' ? 1 : 0;
      left.schemas += counted === 'schemas' ? 1 : 0;
      continue;
    }
    const text = write();
    length += title.length + text.length;
    sections.push({ title, level, text });
  }
  return { sections, left };
}

function countedAs(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}, because the page would be too long.`];
}

function introduction(document: OpenApiDocument): PlannedSection[] {
  const { info, servers, components } = document.root;
  const version = textOf(jsonField(info, 'version'), NAME_LENGTH_MAX);
  const overview = paragraphs(
    version === '' ? '' : `Version ${codeSpan(version)}.`,
    embeddedParagraphs(textOf(jsonField(info, 'description'), DESCRIPTION_LENGTH_MAX)),
  );
  const addresses = listOf(servers)
    .filter(isObject)
    .slice(0, ROWS_MAX)
    .map((server) => [codeSpan(textOf(server['url'], NAME_LENGTH_MAX)), textOf(server['description'], 400)]);
  const schemes = membersOf(jsonField(components, 'securitySchemes'))
    .slice(0, ROWS_MAX)
    .map(([name, scheme]) => schemeRow(name, document.resolve(scheme)));
  const section = (title: string, text: string): PlannedSection[] =>
    text === '' ? [] : [{ title, level: 2, counted: null, write: () => text }];
  return [
    ...section('Overview', overview),
    ...section('Servers', addresses.length === 0 ? '' : markdownTable(['URL', 'Description'], addresses)),
    ...section(
      'Authentication',
      schemes.length === 0 ? '' : markdownTable(['Name', 'Kind', 'Description'], schemes),
    ),
  ];
}

function schemeRow(name: string, scheme: JsonObject | null): string[] {
  const { type, scheme: how, in: place, name: field, description } = scheme ?? {};
  const where =
    type === 'apiKey' ? `key ${codeSpan(textOf(field, NAME_LENGTH_MAX))} in ${textOf(place, 40)}` : '';
  const kind = [textOf(type === 'apiKey' ? '' : type, 40), textOf(how, 40), where].filter(
    (each) => each !== '',
  );
  return [codeSpan(textOf(name, NAME_LENGTH_MAX)), kind.join(' '), textOf(description, 600)];
}

function operationsOf(document: OpenApiDocument): {
  operations: Map<string, OperationPlace[]>;
  more: number;
} {
  const operations = new Map<string, OperationPlace[]>();
  for (const tag of listOf(document.root['tags']).filter(isObject)) {
    operations.set(textOf(tag['name'], NAME_LENGTH_MAX), []);
  }
  let count = 0;
  for (const [path, value] of membersOf(document.root['paths'])) {
    const item = document.resolve(value);
    for (const method of METHODS) {
      const operation = document.resolve(item?.[method]);
      if (operation === null || item === null) {
        continue;
      }
      count += 1;
      if (count <= OPERATIONS_MAX) {
        const tag = textOf(listOf(operation['tags'])[0], NAME_LENGTH_MAX) || NO_TAG;
        const place = { method: method.toUpperCase(), path: textOf(path, 400), item, operation };
        operations.set(tag, [...(operations.get(tag) ?? []), place]);
      }
    }
  }
  return { operations, more: Math.max(0, count - OPERATIONS_MAX) };
}

function operationSections(
  operations: ReadonlyMap<string, readonly OperationPlace[]>,
  document: OpenApiDocument,
  tables: SchemaTables,
): PlannedSection[] {
  const described = new Map(
    listOf(document.root['tags'])
      .filter(isObject)
      .map((tag) => [tag['name'], textOf(tag['description'], DESCRIPTION_LENGTH_MAX)]),
  );
  return [...operations]
    .filter(([, places]) => places.length > 0)
    .flatMap(([tag, places]) => [
      { title: tag, level: 2, counted: null, write: () => embeddedParagraphs(described.get(tag) ?? '') },
      ...places.map((place) => ({
        title: `${place.method} ${place.path}`,
        level: 3,
        counted: 'operations' as const,
        write: () => operationText(place, document, tables),
      })),
    ]);
}

function schemaSections(schemas: readonly [string, unknown][], tables: SchemaTables): PlannedSection[] {
  const sections = schemas.map(([name, schema]) => ({
    title: name,
    level: 3,
    counted: 'schemas' as const,
    write: () => {
      const description = embeddedParagraphs(
        textOf(jsonField(schema, 'description'), DESCRIPTION_LENGTH_MAX),
      );
      const fields = tables.fieldsOf(schema);
      const type =
        fields === '' ? `Type: ${tables.typeOf(schema)}. ${tables.notesOf(schema, '')}`.trim() : fields;
      return paragraphs(description, type);
    },
  }));
  return sections.length === 0
    ? []
    : [{ title: 'Schemas', level: 2, counted: null, write: () => '' }, ...sections];
}
