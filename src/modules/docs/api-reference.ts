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

function operationText({ item, operation }: OperationPlace, tables: SchemaTables): string {
  const { document } = tables;
  const summary = textOf(operation['summary'], 400).replace(/\s+/gu, ' ').trim();
  const id = nameOf(operation['operationId']);
  return paragraphs(
    operation['deprecated'] === true ? 'Deprecated.' : '',
    summary === '' ? '' : `**${summary}**`,
    descriptionOf(operation),
    id === '' ? '' : `Operation: ${codeSpan(id)}`,
    securityText(operation['security'] ?? document.root['security']),
    parametersText([...listOf(item['parameters']), ...listOf(operation['parameters'])], tables),
    bodyText(document.resolve(operation['requestBody']), tables),
    responsesText(operation['responses'], tables),
  );
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

function nameOf(value: unknown): string {
  return textOf(value, NAME_LENGTH_MAX);
}

function descriptionOf(value: unknown): string {
  return embeddedParagraphs(textOf(jsonField(value, 'description'), DESCRIPTION_LENGTH_MAX));
}

function securityText(security: unknown): string {
  if (!Array.isArray(security)) {
    return '';
  }
  const choices = security.slice(0, MEDIA_TYPES_MAX).map((choice) => {
    const schemes = membersOf(choice).slice(0, MEDIA_TYPES_MAX);
    return schemes.map(([name]) => codeSpan(nameOf(name))).join(' and ') || 'none';
  });
  return `Authentication: ${choices.join(' or ') || 'none'}`;
}

function parametersText(parameters: readonly unknown[], tables: SchemaTables): string {
  const found = new Map<string, JsonObject>();
  for (const parameter of parameters.slice(0, 2 * ROWS_MAX)) {
    const resolved = tables.document.resolve(parameter);
    if (resolved !== null) {
      found.set(`${textOf(resolved['in'], 40)} ${nameOf(resolved['name'])}`, resolved);
    }
  }
  const rows = [...found.values()].map((parameter) => {
    const schema = parameter['schema'] ?? firstSchema(parameter);
    return [
      codeSpan(nameOf(parameter['name'])),
      textOf(parameter['in'], 40),
      tables.typeOf(schema),
      parameter['required'] === true ? 'yes' : 'no',
      tables.notesOf(schema, parameter['description']),
    ];
  });
  return titledTable('Parameters', ['Name', 'In', 'Type', 'Required', 'Description'], rows);
}

function bodyText(body: JsonObject | null, tables: SchemaTables): string {
  if (body === null) {
    return '';
  }
  const inPlace = mediaOf(body)
    .map(([, value]) => jsonField(value, 'schema'))
    .find(isInPlace);
  const need = body['required'] === true ? 'required' : 'optional';
  return paragraphs(
    `Request body (${need}): ${typesText(body, tables)}`.replace(/: $/u, ''),
    descriptionOf(body),
    inPlace === undefined ? '' : tables.fieldsOf(inPlace),
  );
}

function responsesText(responses: unknown, tables: SchemaTables): string {
  const found = membersOf(responses)
    .slice(0, ROWS_MAX)
    .map(([name, value]) => ({
      status: codeSpan(textOf(name, 40)),
      response: tables.document.resolve(value),
    }));
  const rows = found.map(({ status, response }) => {
    return [status, typesText(response, tables) || 'none', textOf(response?.['description'], 600)];
  });
  const tablesInPlace = found.map(({ status, response }) => {
    const schema = firstSchema(response);
    const fields = isInPlace(schema) ? tables.fieldsOf(schema) : '';
    return fields === '' ? '' : `Fields of ${status}:\n\n${fields}`;
  });
  return paragraphs(titledTable('Responses', ['Status', 'Body', 'Description'], rows), ...tablesInPlace);
}

function typesText(message: JsonObject | null, tables: SchemaTables): string {
  return mediaOf(message)
    .map(([name, value]) => `${codeSpan(nameOf(name))}: ${tables.typeOf(jsonField(value, 'schema'))}`)
    .join('; ');
}

function mediaOf(message: JsonObject | null): [name: string, value: unknown][] {
  return membersOf(message?.['content']).slice(0, MEDIA_TYPES_MAX);
}

function firstSchema(message: JsonObject | null): unknown {
  return jsonField(mediaOf(message)[0]?.[1], 'schema');
}

function isInPlace(schema: unknown): boolean {
  return isObject(schema) && schema['$ref'] === undefined;
}

function titledTable(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}:\n\n${markdownTable(header, rows, ROWS_MAX)}`;
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

/** Only what the document says; each schema once, and linked. @throws NoOpenApiDocument */
export function apiReference(source: string): WrittenPage {
  const document = OpenApiDocument.read(source);
  const { operations, more: moreOperations } = operationsOf(document);
  const allSchemas = membersOf(jsonField(document.root['components'], 'schemas'));
  const schemas = allSchemas.slice(0, SCHEMAS_MAX);
  const anchors = new Map<string, string>();
  const tables = new SchemaTables(document, anchors);
  const { info } = document.root;
  const title = headingText(nameOf(jsonField(info, 'title'))) || 'API';
  const plan = [
    ...introduction(document),
    ...operationSections(operations, tables),
    ...schemaSections(schemas, tables),
  ];
  nameAnchors(title, plan, anchors);
  const sections = written(plan);
  const left = plan.slice(sections.length);
  const leftOf = (kind: PlannedSection['counted']) => left.filter(({ counted }) => counted === kind).length;
  const omitted = [
    ...countedAs(moreOperations + leftOf('operations'), 'operations'),
    ...countedAs(allSchemas.length - schemas.length + leftOf('schemas'), 'schemas'),
    ...(tables.isExhausted ? ['Types of fields, because the document refers to too many.'] : []),
  ];
  return writtenPage(title, sections, omitted);
}

/** Anchors are named before any text is written, because texts link to later schemas. */
function nameAnchors(pageTitle: string, plan: readonly PlannedSection[], anchors: Map<string, string>): void {
  const made = new GithubAnchors();
  made.of(pageTitle);
  for (const { title, counted } of plan) {
    const anchor = made.of(headingText(title));
    if (counted === 'schemas') {
      anchors.set(title, anchor);
    }
  }
}

function written(plan: readonly PlannedSection[]): PageSection[] {
  const sections: PageSection[] = [];
  let length = 0;
  for (const { title, level, write } of plan) {
    if (length > PAGE_LENGTH_MAX) {
      break;
    }
    const text = write();
    length += title.length + text.length;
    sections.push({ title, level, text });
  }
  return sections;
}

function countedAs(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}, because the page would be too long.`];
}

function introduction(document: OpenApiDocument): PlannedSection[] {
  const { info, servers, components } = document.root;
  const version = nameOf(jsonField(info, 'version'));
  const overview = paragraphs(version === '' ? '' : `Version ${codeSpan(version)}.`, descriptionOf(info));
  const addresses = listOf(servers)
    .filter(isObject)
    .slice(0, ROWS_MAX)
    .map((server) => [codeSpan(nameOf(server['url'])), textOf(server['description'], 400)]);
  const schemes = membersOf(jsonField(components, 'securitySchemes'))
    .slice(0, ROWS_MAX)
    .map(([name, scheme]) => schemeRow(name, document.resolve(scheme)));
  const section = (title: string, text: string): PlannedSection[] =>
    text === '' ? [] : [{ title, level: 2, counted: null, write: () => text }];
  return [
    ...section('Overview', overview),
    ...section(
      'Servers',
      addresses.length === 0 ? '' : markdownTable(['URL', 'Description'], addresses, ROWS_MAX),
    ),
    ...section(
      'Authentication',
      schemes.length === 0 ? '' : markdownTable(['Name', 'Kind', 'Description'], schemes, ROWS_MAX),
    ),
  ];
}

function schemeRow(name: string, scheme: JsonObject | null): string[] {
  const { type, scheme: how, in: place, name: field, description } = scheme ?? {};
  const where = `key ${codeSpan(nameOf(field))} in ${textOf(place, 40)}`;
  const kind = type === 'apiKey' ? [textOf(how, 40), where] : [textOf(type, 40), textOf(how, 40)];
  const said = kind.filter((each) => each !== '').join(' ');
  return [codeSpan(nameOf(name)), said, textOf(description, 600)];
}

function operationsOf(document: OpenApiDocument): {
  operations: Map<string, OperationPlace[]>;
  more: number;
} {
  const operations = new Map<string, OperationPlace[]>();
  for (const tag of listOf(document.root['tags']).filter(isObject)) {
    operations.set(nameOf(tag['name']), []);
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
        const tag = nameOf(listOf(operation['tags'])[0]) || NO_TAG;
        const place = { method: method.toUpperCase(), path: textOf(path, 400), item, operation };
        operations.set(tag, [...(operations.get(tag) ?? []), place]);
      }
    }
  }
  return { operations, more: Math.max(0, count - OPERATIONS_MAX) };
}

function operationSections(
  operations: ReadonlyMap<string, readonly OperationPlace[]>,
  tables: SchemaTables,
): PlannedSection[] {
  const tags = listOf(tables.document.root['tags']).filter(isObject);
  const described = new Map(tags.map((tag) => [tag['name'], tag]));
  return [...operations]
    .filter(([, places]) => places.length > 0)
    .flatMap(([tag, places]) => [
      { title: tag, level: 2, counted: null, write: () => descriptionOf(described.get(tag)) },
      ...places.map((place) => ({
        title: `${place.method} ${place.path}`,
        level: 3,
        counted: 'operations' as const,
        write: () => operationText(place, tables),
      })),
    ]);
}

function schemaSections(schemas: readonly [string, unknown][], tables: SchemaTables): PlannedSection[] {
  const sections = schemas.map(([name, schema]) => ({
    title: name,
    level: 3,
    counted: 'schemas' as const,
    write: () => {
      const fields = tables.fieldsOf(schema);
      const type =
        fields === '' ? `Type: ${tables.typeOf(schema)}. ${tables.notesOf(schema, '')}`.trim() : fields;
      return paragraphs(descriptionOf(schema), type);
    },
  }));
  return sections.length === 0
    ? []
    : [{ title: 'Schemas', level: 2, counted: null, write: () => '' }, ...sections];
}
