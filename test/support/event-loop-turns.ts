const TURN_MS = 5;

/** Where nothing else has the processor, so many turns take 100 ms. */
export const TURNS_IN_100_MS = 100 / TURN_MS;

/**
 * How many turns, 5 ms or more apart, this process's event loop had while some work went on. The clock also runs while
 * other processes have the processor; these turns do not. So they tell how long work in this process waited for a timer
 * or for nobody, and a busy machine adds none to them.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, TURN_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return turns;
}
