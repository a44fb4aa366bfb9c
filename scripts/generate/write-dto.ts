import { collectDtoClasses } from './dto/dto-class';
import { DtoFile } from './dto/dto-file';
import { isClassSchema } from './dto/value-schema';
import { writeClass } from './dto/write-class';
import type { JsonObject } from './json';
import { resolveComponent, type Operation } from './operations';
import { RefusedDocument } from './source-document';

/**
 * `dto/<tag>.ts`: the class-validator classes of queries and bodies, by tag.
 * Throws RefusedDocument where a schema says what the decorators cannot.
 */
export function writeDto(
  document: JsonObject,
  operations: Operation[],
  locate: (pointer: string) => string,
): Record<string, string> {
  refuseNamelessBodies(document, operations, locate);
  const classes = collectDtoClasses(document, operations);
  const tagOf = new Map(classes.map(({ name, tag }) => [name, tag]));
  const files = new Map<string, DtoFile>();
  for (const dto of classes) {
    const file = files.get(dto.tag) ?? new DtoFile(dto.tag, tagOf);
    files.set(dto.tag, file);
    writeClass({ document, file, locate }, dto);
  }
  return Object.fromEntries([...files].map(([tag, file]) => [tag, file.text()]));
}

function refuseNamelessBodies(
  document: JsonObject,
  operations: Operation[],
  locate: (pointer: string) => string,
): void {
  const places = operations
    .filter(({ bodySchema }) => bodySchema !== null)
    .filter(({ bodySchema }) => !isNamedObject(document, bodySchema as JsonObject))
    .map(
      ({ pointer }) =>
        `${locate(`${pointer}/requestBody`)} must be a named component that lists an object's fields`,
    );
  if (places.length > 0) {
    throw new RefusedDocument(places);
  }
}

function isNamedObject(document: JsonObject, schema: JsonObject): boolean {
  return typeof schema.$ref === 'string' && isClassSchema(resolveComponent(document, schema));
}
