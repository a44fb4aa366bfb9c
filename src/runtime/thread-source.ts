import { extname, join } from 'node:path';

/** How a pool of worker threads, or a child process, loads its jobs. */
export interface ThreadSource {
  readonly filename: string;
  readonly execArgv?: string[];
}

/**
 * Threads load the compiled module where this file is compiled, and otherwise TypeScript, which they have to transform.
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
