/** One thing that a soak has looked at. */
export interface Check {
  name: string;
  /** How much was looked at. */
  figure: string;
  faults: string[];
}
