import type { FastifyRequest } from 'fastify';
import type { BodyOwner, BodyRoom } from '../body-budget';
import { BODY_FAULTS, bodyTooLarge, compressedBody, type BodyFault } from '../body-fault';
import { askForBody } from '../expected-bodies';
import { JsonCounts } from '../json-counts';
import { parseJson } from '../parse-json';
import { hasBody } from '../read-body';
import { FIELDS_BYTES_MAX, FILE_BYTES_MAX, readForm, type Form } from './read-form';
import type { TemporaryFiles } from './temporary-files';
import type { UploadedFile } from './uploaded-file';

declare module 'fastify' {
  interface FastifyRequest {
    /** The file that came with a form; removed by whoever ends the call. */
    uploadedFile?: UploadedFile;
  }
}

/** Which fields a form may have that are no plain text. */
export interface FormFields {
  /** The one that is a file; null where there is none. */
  readonly file: string | null;
  /** Those that are JSON texts. */
  readonly json: readonly string[];
}

/** A field takes so much of the heap for each byte: its text, at two bytes for a character, and what is parsed out of it. */
const FIELD_HEAP_BYTES = 4;

/**
 * Takes the room for what of a form is in memory, which its file is not.
 * @returns null where there is none
 */
export function takeFormRoom({ headers, server }: FastifyRequest, owner: BodyOwner): BodyRoom | null {
  const announcedBytes = Number(headers['content-length'] ?? FIELDS_BYTES_MAX);
  return server.bodyBudget.take(owner, Math.min(announcedBytes, FIELDS_BYTES_MAX) * FIELD_HEAP_BYTES);
}

/**
 * Reads a request's form into `request.body`, an object of its fields, and its file into `request.uploadedFile`. Where that
 * can't be done, `request.bodyFault` says why; a body that the request's head disqualifies is not read at all. In the place
 * of the file the body has its checksum and its name: a retry with the same file has the same body.
 * @returns false where the client has left before the end
 */
export async function readFormBody(
  request: FastifyRequest,
  bounds: {
    readonly bytesMax: number;
    readonly form: FormFields;
    readonly owner: string | null;
    /** What was taken for it; null where there was none. */
    readonly room: BodyRoom | null;
  },
  files: TemporaryFiles,
): Promise<boolean> {
  if (!hasBody(request.raw)) {
    return true;
  }
  const fault = faultOfHead(request, bounds.bytesMax) ?? (bounds.room ? null : BODY_FAULTS.tooManyBodies);
  if (fault) {
    request.bodyFault = fault;
    return true;
  }
  askForBody(request.raw);
  const shape = { file: bounds.form.file, bytesMax: bounds.bytesMax, owner: bounds.owner };
  const outcome = await readForm(request.raw, shape, files);
  if (outcome === 'broken off') {
    return false;
  }
  if ('status' in outcome) {
    request.bodyFault = outcome;
    return true;
  }
  const body = bodyOf(request, outcome, bounds.form);
  if (request.bodyFault) {
    await (outcome.file && files.remove(outcome.file.path));
    return true;
  }
  request.body = body;
  const fieldsLength = [...outcome.fields.values()].reduce((sum, { length }) => sum + length, 0);
  bounds.room?.hold(fieldsLength * FIELD_HEAP_BYTES);
  request.uploadedFile = outcome.file ?? undefined;
  return true;
}

function faultOfHead({ headers }: FastifyRequest, bytesMax: number): BodyFault | null {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !/^\s*(?:identity\s*)?$/i.test(encoding)) {
    return compressedBody(encoding);
  }
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return BODY_FAULTS.notFormType;
  }
  return Number(headers['content-length']) > bytesMax ? bodyTooLarge(bytesMax, FILE_BYTES_MAX) : null;
}

function bodyOf(request: FastifyRequest, { fields, file }: Form, names: FormFields): Record<string, unknown> {
  const members: [string, unknown][] =
    file && names.file !== null ? [[names.file, `${file.checksum} ${file.name}`]] : [];
  for (const [name, text] of fields) {
    members.push([name, names.json.includes(name) ? valueOf(request, name, text) : text]);
  }
  return Object.fromEntries(members);
}

/** Notes a fault where the field has no JSON, or too much of it. */
function valueOf(request: FastifyRequest, name: string, text: string): unknown {
  const excess = new JsonCounts().take(Buffer.from(text));
  if (excess) {
    request.bodyFault = excess;
    return undefined;
  }
  const parsed = parseJson(text);
  if ('fault' in parsed) {
    request.bodyFault = { status: 400, message: `has a field ${name} that ${parsed.fault}` };
    return undefined;
  }
  return parsed.value;
}
