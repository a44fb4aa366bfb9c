import { extname, join } from 'node:path';

interface ThreadSource {
  readonly filename: string;
  readonly execArgv?: string[];
}

/** The compiled module, or TypeScript that threads transform. `module` is its path without an extension. */
export function threadSource(module: string): ThreadSource {
  const extension = extname(__filename);
  const filename = `${module}${extension}`;
  if (extension === '.js') {
    return { filename };
  }
  return { filename, execArgv: ['--require', join(__dirname, 'typescript-thread.cjs')] };
}
