import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readOperations } from './operations';
import { RefusedDocument, SourceDocument } from './source-document';
import { writeContract } from './write-contract';
import { writeDto } from './write-dto';
import { writeOpenapi } from './write-openapi';
import { writeSchemas } from './write-schemas';
import { writeTypes } from './write-types';

const NOTICE = '// Generated from openapi/ by `npm run generate`. Do not edit.\n';

/** Writes everything that follows from the document into `folder`; throws RefusedDocument. */
export async function generate(root: string, folder: string): Promise<void> {
  const source = new SourceDocument(root);
  const operations = readOperations(source);
  const files: Record<string, string> = {
    'openapi.json': writeOpenapi(source.bundled, operations),
    'types.ts': NOTICE + (await writeTypes(source.bundled, operations)),
    'schemas.ts': NOTICE + writeSchemas(source.bundled, operations),
    'contract.ts': NOTICE + writeContract(source.bundled, operations),
  };
  for (const [tag, text] of Object.entries(
    writeDto(source.bundled, operations, (pointer) => source.locate(pointer)),
  )) {
    files[`dto/${tag}.ts`] = NOTICE + text;
  }
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
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
