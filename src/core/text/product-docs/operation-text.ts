import { codeSpan, embeddedParagraphs, markdownTable } from '../markdown/markdown-writing';
import {
  isObject,
  listOf,
  membersOf,
  textOf,
  type JsonObject,
  type OpenApiDocument,
} from './openapi-document';
import type { SchemaTables } from './schema-tables';

/** An operation, and where it stands. */
export interface OperationPlace {
  readonly method: string;
  readonly path: string;
  /** The path's item, whose parameters hold for all of its operations. */
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

const ROWS_MAX = 100;
const MEDIA_TYPES_MAX = 8;
/** In UTF-16 units. */
const DESCRIPTION_LENGTH_MAX = 4_000;
const NAME_LENGTH_MAX = 200;

/** What the document says of an operation, as Markdown. */
export function operationText(
  { item, operation }: OperationPlace,
  document: OpenApiDocument,
  tables: SchemaTables,
): string {
  const summary = textOf(operation['summary'], 400).replace(/\s+/gu, ' ').trim();
  const id = textOf(operation['operationId'], NAME_LENGTH_MAX);
  return [
    operation['deprecated'] === true ? 'Deprecated.' : '',
    summary === '' ? '' : `**${summary}**`,
    embeddedParagraphs(textOf(operation['description'], DESCRIPTION_LENGTH_MAX)),
    id === '' ? '' : `Operation: ${codeSpan(id)}`,
    securityText(operation['security'] ?? document.root['security']),
    parametersText([...listOf(item['parameters']), ...listOf(operation['parameters'])], document, tables),
    bodyText(document.resolve(operation['requestBody']), tables),
    responsesText(operation['responses'], document, tables),
  ]
    .filter((each) => each !== '')
    .join('\n\n');
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
  const content = membersOf(parameter['content'])[0]?.[1];
  return parameter['schema'] ?? (isObject(content) ? content['schema'] : undefined);
}

function bodyText(body: JsonObject | null, tables: SchemaTables): string {
  if (body === null) {
    return '';
  }
  const media = membersOf(body['content']).slice(0, MEDIA_TYPES_MAX);
  const types = media.map(([name, value]) => {
    const schema = isObject(value) ? value['schema'] : undefined;
    return `${codeSpan(textOf(name, NAME_LENGTH_MAX))}: ${tables.typeOf(schema)}`;
  });
  const inPlace = media
    .map(([, value]) => (isObject(value) ? value['schema'] : undefined))
    .filter((schema) => isObject(schema) && schema['$ref'] === undefined);
  const need = body['required'] === true ? 'required' : 'optional';
  return [
    `Request body (${need}): ${types.join('; ')}`.replace(/: $/u, ''),
    embeddedParagraphs(textOf(body['description'], DESCRIPTION_LENGTH_MAX)),
    inPlace.length === 0 ? '' : tables.fieldsOf(inPlace[0]),
  ]
    .filter((each) => each !== '')
    .join('\n\n');
}

function responsesText(responses: unknown, document: OpenApiDocument, tables: SchemaTables): string {
  const found = membersOf(responses)
    .slice(0, ROWS_MAX)
    .map(([status, value]) => ({ status, response: document.resolve(value) }));
  const rows = found.map(({ status, response }) => {
    const media = membersOf(response?.['content']).slice(0, MEDIA_TYPES_MAX);
    const types = media.map(([name, value]) => {
      const type = tables.typeOf(isObject(value) ? value['schema'] : undefined);
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
    : [`Responses:\n\n${tableOf(['Status', 'Body', 'Description'], rows)}`, ...tablesInPlace].join('\n\n');
}

function firstSchema(response: JsonObject | null): unknown {
  const media = membersOf(response?.['content'])[0]?.[1];
  return isObject(media) ? media['schema'] : undefined;
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = markdownTable(header, rows.slice(0, ROWS_MAX));
  return rows.length > ROWS_MAX ? `${table}\n\nThe table has only the first ${ROWS_MAX} rows.` : table;
}
