import { extname, join } from 'node:path';

interface ThreadSource {
  readonly filename: string;
  readonly execArgv?: string[];
}

/**
 * The compiled module where this file is compiled, otherwise TypeScript, which threads have to transform.
 * @param module the path of the module with the jobs, without its extension
 */
export function threadSource(module: string): ThreadSource {
  const extension = extname(__filename);
  const filename = `${module}${extension}`;
  if (extension === '.js') {
    return { filename };
  }
  return { filename, execArgv: ['--require', join(__dirname, 'typescript-thread.cjs')] };
}
