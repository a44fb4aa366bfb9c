import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readBundled, readDocument, RefusedDocument } from './document';
import { forCode, readOperations } from './operations';
import { refuseAmbiguousMessages, withSocketSchemas } from './sockets';
import { allowNulls } from './nullable-requests';
import { writeContract } from './write-contract';
import { writeEvents } from './write-events';
import { writeSchemas } from './write-schemas';
import { writeTypes } from './write-types';

const NOTICE = '// Generated from openapi/ by `npm run generate`. Do not edit.\n';

/** Writes everything that follows from the document into `folder`; throws RefusedDocument. */
export async function generate(root: string, folder: string): Promise<void> {
  const document = await readDocument(root);
  const operations = readOperations(document);
  const asyncDocument = await readBundled(join(dirname(root), 'asyncapi.yaml'));
  refuseAmbiguousMessages(asyncDocument);
  const coded = withSocketSchemas(forCode(document, operations), asyncDocument);
  const code: Record<string, string> = {
    'types.ts': await writeTypes(coded),
    'schemas.ts': writeSchemas(coded, operations),
    'contract.ts': writeContract(document, operations),
    'events.ts': writeEvents(document),
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'openapi.json'),
    `${JSON.stringify(allowNulls(document, operations), null, 2)}\n`,
  );
  writeFileSync(join(folder, 'asyncapi.json'), `${JSON.stringify(asyncDocument, null, 2)}\n`);
  for (const [name, text] of Object.entries(code)) {
    writeFileSync(join(folder, name), NOTICE + text);
  }
}

if (require.main === module) {
  const project = resolve(process.cwd());
  generate(join(project, 'openapi/openapi.yaml'), join(project, 'generated')).catch((error: unknown) => {
    process.stderr.write(
      `${error instanceof RefusedDocument ? error.message : String((error as Error).stack)}\n`,
    );
    process.exitCode = 1;
  });
}
