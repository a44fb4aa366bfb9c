/** What the project faults of jest.config.js tells its tests. */
interface DepthGlobal {
  isDeepRun?: boolean;
}

export interface Depths {
  /** What `npm test` and `npm run check` try. */
  short: number;
  /** What `npm run test:faults` tries. */
  deep: number;
}

/** Whether this is `npm run test:faults`: the run that takes its time, on a machine that does nothing else. */
export const isDeepRun = (globalThis as DepthGlobal).isDeepRun === true;

/**
 * How much of a guarantee a run tries: how many kills, calls or histories. This is the only place that tells the two
 * runs apart. A number in the environment variable of that name wins over both: `SERVER_KILLS=500` is a soak.
 */
export function depth(name: string, { short, deep }: Depths): number {
  const asked = process.env[name];
  return asked === undefined ? (isDeepRun ? deep : short) : Number(asked);
}
