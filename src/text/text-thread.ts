// What a worker thread of TextThreads runs.
import { createRequire } from 'node:module';
import { listedJob } from './text-job';
// The vocabulary is loaded before the thread reports that it is ready.
import './text.jobs';

const load = createRequire(__filename);

export default function runJob({
  file,
  name,
  input,
}: {
  file: string;
  name: string;
  input: unknown;
}): unknown {
  load(file);
  return listedJob(file, name)(input);
}
