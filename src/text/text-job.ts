export interface TextJob<Input, Output> {
  readonly file: string;
  readonly name: string;
  readonly run: (input: Input) => Output;
}

type JobFunctions = Readonly<Record<string, (input: never) => unknown>>;

type TextJobsOf<Functions extends JobFunctions> = {
  readonly [Name in keyof Functions]: TextJob<Parameters<Functions[Name]>[0], ReturnType<Functions[Name]>>;
};

const listed = new Map<string, JobFunctions>();

/** Jobs exchange flat values: a deep object overflows the stack. @param file `__filename` of the jobs' file */
export function textJobsOf<Functions extends JobFunctions>(
  file: string,
  functions: Functions,
): TextJobsOf<Functions> {
  listed.set(file, functions);
  const jobs = Object.entries(functions).map(([name, run]) => [name, { file, name, run }]);
  return Object.fromEntries(jobs) as TextJobsOf<Functions>;
}

/** @throws RangeError where the file lists no such job */
export function listedJob(file: string, name: string): (input: unknown) => unknown {
  const job = listed.get(file)?.[name];
  if (!job) {
    throw new RangeError(`${file} lists no job ${name}`);
  }
  return job as (input: unknown) => unknown;
}
