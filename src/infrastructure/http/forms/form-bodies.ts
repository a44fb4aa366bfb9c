import type { FastifyRequest } from 'fastify';
import { BODY_FAULTS, bodyTooLarge, compressedBody, type BodyFault } from '../body-fault';
import { askForBody } from '../expected-bodies';
import { jsonFault } from '../json-fault';
import { hasTooManyNames } from '../json-names';
import { hasBody } from '../read-body';
import { FILE_BYTES_MAX, readForm, type Form } from './read-form';
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

/**
 * Reads a request's form into `request.body`, an object of its fields, and its file into `request.uploadedFile`. Where that
 * can't be done, `request.bodyFault` says why; a body that the request's head disqualifies is not read at all. In the place
 * of the file the body has its checksum and its name: a retry with the same file has the same body.
 * @returns false where the client has left before the end
 */
export async function readFormBody(
  request: FastifyRequest,
  bounds: { readonly bytesMax: number; readonly form: FormFields; readonly owner: string | null },
  files: TemporaryFiles,
): Promise<boolean> {
  if (!hasBody(request.raw)) {
    return true;
  }
  const fault = faultOfHead(request, bounds.bytesMax);
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
  const body = await bodyOf(request, outcome, bounds.form);
  if (request.bodyFault) {
    await (outcome.file && files.remove(outcome.file.path));
    return true;
  }
  request.body = body;
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

async function bodyOf(
  request: FastifyRequest,
  { fields, file }: Form,
  names: FormFields,
): Promise<Record<string, unknown>> {
  const members: [string, unknown][] =
    file && names.file !== null ? [[names.file, `${file.checksum} ${file.name}`]] : [];
  for (const [name, text] of fields) {
    members.push([name, names.json.includes(name) ? await valueOf(request, name, text) : text]);
  }
  return Object.fromEntries(members);
}

/** Notes a fault where the field has no JSON. */
async function valueOf(request: FastifyRequest, name: string, text: string): Promise<unknown> {
  if (hasTooManyNames(text)) {
    request.bodyFault = BODY_FAULTS.tooManyNames;
    return undefined;
  }
  return new Promise((resolve) => {
    void request.server.getDefaultJsonParser('error', 'error')(request, text, (error, value) => {
      if (error) {
        request.bodyFault = { status: 400, message: `has a field ${name} that ${jsonFault(text)}` };
      }
      resolve(value);
    });
  });
}
