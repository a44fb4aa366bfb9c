import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoakSettings } from '../soak-settings';
import type { Check } from './check';

/** What a process wrote of itself, see memory-log.cjs. */
interface Sample {
  upMs: number;
  rss: number;
  heapUsed: number;
  external: number;
}

const MIB = 2 ** 20;
/** Fewer say nothing of a trend. */
const SAMPLES_MIN = 12;
/** The first third: modules are loaded, caches filled, code compiled. */
const WARM_UP_SHARE = 1 / 3;

/** The memory of the processes that lived through the whole soak, and of all others for comparison. */
export function checkMemory(
  folder: string,
  spared: readonly { name: string; pid: number }[],
  settings: SoakSettings,
): Check[] {
  const samples = new Map(
    readdirSync(folder).map((file) => [Number(file.split('.')[0]), samplesOf(join(folder, file))]),
  );
  const checks = spared.map(({ name, pid }) => checkProcess(name, samples.get(pid) ?? [], settings));
  const others = [...samples].filter(
    ([pid, own]) => own.length > 0 && !spared.some((process) => process.pid === pid),
  );
  const peak = Math.max(0, ...others.flatMap(([, own]) => own.map(({ rss }) => rss)));
  return [
    ...checks,
    {
      name: 'memory of the killed',
      figure: `${others.length} processes, at most ${mib(peak)} MiB`,
      faults: [],
    },
  ];
}

function checkProcess(name: string, samples: readonly Sample[], settings: SoakSettings): Check {
  const steady = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  if (steady.length < SAMPLES_MIN) {
    const faults = settings.minutes >= MINUTES_MEASURED_FROM ? [`only ${steady.length} samples`] : [];
    return { name: `memory of ${name}`, figure: `${samples.length} samples, too few for a trend`, faults };
  }
  const held = steady.map(({ heapUsed, external }) => heapUsed + external);
  const rss = steady.map((sample) => sample.rss);
  const minutes = ((steady.at(-1)?.upMs ?? 0) - (steady[0]?.upMs ?? 0)) / 60_000;
  const grownBytes = growthOf(
    steady.map(({ upMs }) => upMs),
    held,
  );
  const rssGrownBytes = growthOf(
    steady.map(({ upMs }) => upMs),
    rss,
  );
  const bound = settings.isLong ? LONG : SHORT;
  const faults = [
    ...(grownBytes > bound.heldMib * MIB ? [`what it holds grows by more than ${bound.heldMib} MiB`] : []),
    ...(rssGrownBytes > bound.rssMib * MIB
      ? [`its resident memory grows by more than ${bound.rssMib} MiB`]
      : []),
  ];
  return {
    name: `memory of ${name} is flat`,
    figure:
      `over its last ${minutes.toFixed(1)} minutes it holds ${range(held)} MiB after a collection, trend ${signed(grownBytes)} MiB; ` +
      `resident ${range(rss)} MiB, trend ${signed(rssGrownBytes)} MiB; held in the course of the soak: ${course(samples)}`,
    faults,
  };
}

/**
 * By how much the line through the samples rises from the first to the last of them. Docs/decisions/0050 says why these
 * bounds: a leak of three KiB a call would pass them within the long form.
 */
const LONG = { heldMib: 24, rssMib: 96 };
/** Two minutes are hardly more than a warm-up, so that this only finds what leaks by the megabyte. */
const SHORT = { heldMib: 96, rssMib: 256 };
const MINUTES_MEASURED_FROM = 2;

/** Least squares. */
function growthOf(times: readonly number[], values: readonly number[]): number {
  const mean = (numbers: readonly number[]) =>
    numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [time, value] = [mean(times), mean(values)];
  const covariance = mean(times.map((each, index) => (each - time) * ((values[index] ?? 0) - value)));
  const variance = mean(times.map((each) => (each - time) ** 2));
  return variance === 0 ? 0 : (covariance / variance) * ((times.at(-1) ?? 0) - (times[0] ?? 0));
}

function samplesOf(file: string): Sample[] {
  // The last line of a killed process may be half written.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Sample);
}

/** Ten of the samples at even distances, from the first to the last. */
function course(samples: readonly Sample[]): string {
  const places = Array.from({ length: 10 }, (_, index) => Math.round((index * (samples.length - 1)) / 9));
  return places
    .map((place) => mib((samples[place]?.heapUsed ?? 0) + (samples[place]?.external ?? 0)))
    .join(' ');
}

function range(values: readonly number[]): string {
  return `${mib(Math.min(...values))} to ${mib(Math.max(...values))}`;
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

function signed(bytes: number): string {
  return `${bytes < 0 ? '−' : '+'}${mib(Math.abs(bytes))}`;
}
